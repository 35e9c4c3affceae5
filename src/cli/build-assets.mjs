// Puts into dist/ what the compiler leaves out: the scripts of the docs pages and the bundle that renders them.
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { BROWSER_SCRIPTS } from "./dist/docs/browser-script.js";
import { buildBrowserScript } from "./dist/docs/build-browser-script.js";

const docs = new URL("dist/docs/", import.meta.url);

const { resolve } = createRequire(import.meta.url);
for (const name of ["redoc.standalone.js", "redoc.standalone.js.LICENSE.txt"])
  copyFileSync(resolve(`redoc/bundles/${name}`), new URL(name, docs));

mkdirSync(new URL("browser/", docs), { recursive: true });
for (const name of BROWSER_SCRIPTS) {
  const entry = new URL(`docs/browser/${name}.ts`, import.meta.url);
  writeFileSync(new URL(`browser/${name}.js`, docs), buildBrowserScript(entry));
}
