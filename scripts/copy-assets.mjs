// Copies into dist/ what the compiler leaves behind: the bundled contracts, their changelogs and the docs site's browser bundle.
import { copyFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";

const dist = new URL("../dist/", import.meta.url);

const generated = new URL("../generated/", import.meta.url);
for (const path of readdirSync(generated, { recursive: true, encoding: "utf8" })) {
  if (/(?:^|[/\\])(?:contract|changelog)\.json$/.test(path))
    copyFileSync(new URL(path, generated), new URL(`generated/${path}`, dist));
}

const { resolve } = createRequire(import.meta.url);
for (const name of ["redoc.standalone.js", "redoc.standalone.js.LICENSE.txt"])
  copyFileSync(resolve(`redoc/bundles/${name}`), new URL(`src/tenon/docs/${name}`, dist));
