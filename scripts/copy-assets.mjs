// Puts into dist/ what the compiler leaves behind: the bundled contracts, their changelogs and what the docs' pages load.
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { BROWSER_SCRIPTS } from "../dist/src/tenon/docs/browser-script.js";
import { buildBrowserScript } from "../dist/src/tenon/docs/build-browser-script.js";

const dist = new URL("../dist/", import.meta.url);

const generated = new URL("../generated/", import.meta.url);
for (const path of readdirSync(generated, { recursive: true, encoding: "utf8" })) {
  if (/(?:^|[/\\])(?:contract|changelog)\.json$/.test(path))
    copyFileSync(new URL(path, generated), new URL(`generated/${path}`, dist));
}

const { resolve } = createRequire(import.meta.url);
for (const name of ["redoc.standalone.js", "redoc.standalone.js.LICENSE.txt"])
  copyFileSync(resolve(`redoc/bundles/${name}`), new URL(`src/tenon/docs/${name}`, dist));

const pages = new URL("src/tenon/docs/browser/", dist);
mkdirSync(pages, { recursive: true });
for (const name of BROWSER_SCRIPTS) {
  const entry = new URL(`../src/tenon/docs/browser/${name}.ts`, import.meta.url);
  writeFileSync(new URL(`${name}.js`, pages), buildBrowserScript(entry));
}
