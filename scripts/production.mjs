// Copies what the built service needs to run into a folder, and nothing else: the toolkit's packages, which are most of what
// is installed, are not loaded by a service. Usage: node scripts/production.mjs FOLDER
import { cpSync, existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** What the service, the runtime and the docs import. */
const PACKAGES = [
  "@fastify/busboy",
  // Of the Node that runs this, which is to be the one that runs the service.
  ...(isBuiltin("node:sqlite") ? [] : ["@photostructure/sqlite"]),
  "express",
  "express-openapi-validator",
  "fast-check",
  "pg",
  "pino",
  "yaml",
];

const root = fileURLToPath(new URL("../", import.meta.url));
const [target] = process.argv.slice(2);
if (target === undefined) {
  console.error("Usage: node scripts/production.mjs FOLDER");
  process.exit(2);
}

/** The folder of a package as Node finds it from another folder; undefined when it is not installed. */
function findPackage(name, from) {
  for (let folder = from; folder.startsWith(root) || `${folder}/` === root; folder = dirname(folder)) {
    const found = join(folder, "node_modules", name);
    if (existsSync(join(found, "package.json"))) return found;
  }
  return undefined;
}

const folders = new Set();

function addPackage(name, from, isOptional) {
  const folder = findPackage(name, from);
  if (folder === undefined && !isOptional) throw new Error(`${name} is not installed`);
  if (folder === undefined || folders.has(folder)) return;
  folders.add(folder);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  for (const next of Object.keys(manifest.dependencies ?? {}))
    addPackage(next, folder, next in (manifest.optionalDependencies ?? {}));
  for (const next of Object.keys(manifest.optionalDependencies ?? {})) addPackage(next, folder, true);
}
for (const name of PACKAGES) addPackage(name, root, false);

for (const folder of folders) {
  const nested = join(folder, "node_modules");
  cpSync(folder, join(target, relative(root, folder)), {
    recursive: true,
    filter: (path) => path !== nested && !/\.(map|md|[cm]?ts)$/.test(path),
  });
}
for (const path of ["package.json", "dist", "deploy/healthcheck.mjs"]) {
  cpSync(join(root, path), join(target, path), {
    recursive: true,
    filter: (file) => !/\.(map|d\.ts|tsbuildinfo)$/.test(file),
  });
}
