// Puts into dist/ what the compiler leaves out: the styles and scripts of the docs pages, and recheck's JavaScript file. As a dependency,
// recheck would install 52 MB of Java and native programs.
import { copyFileSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { BROWSER_SCRIPTS } from "./dist/docs/assets/assets.js";
import { buildBrowserScript } from "./dist/docs/assets/build-browser-script.js";

const docs = new URL("dist/docs/", import.meta.url);

const { resolve } = createRequire(import.meta.url);
copyFileSync(resolve("recheck/lib/browser.js"), new URL("dist/cjs/recheck.cjs", import.meta.url));
copyFileSync(resolve("recheck/LICENSE"), new URL("dist/cjs/recheck.LICENSE.txt", import.meta.url));

cpSync(new URL("docs/assets/styles/", import.meta.url), new URL("assets/styles/", docs), { recursive: true });

mkdirSync(new URL("browser/", docs), { recursive: true });
for (const name of BROWSER_SCRIPTS) {
  const entry = new URL(`docs/browser/${name}.ts`, import.meta.url);
  writeFileSync(new URL(`browser/${name}.js`, docs), buildBrowserScript(entry));
}
