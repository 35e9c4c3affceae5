// Installs the dependencies when they are missing or not those of package-lock.json. Plain JavaScript on purpose: it
// runs before anything is installed. No dependency needs an install script, so none is run.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { npm } from "./npm.mjs";

const root = new URL("..", import.meta.url);
const supported = "^20.19.0 || ^22.14.0 || >=24.0.0";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (!((major === 20 && minor >= 19) || (major === 22 && minor >= 14) || major >= 24)) {
  console.error(`Node ${process.versions.node} is too old for this project, which needs ${supported}.`);
  process.exit(1);
}

if (!isInstalled()) {
  console.error("Installing dependencies (npm ci) …");
  const parameters = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const options = { cwd: fileURLToPath(root), stdio: ["ignore", "ignore", "inherit"] };
  const { status } = npm(parameters, options);
  if (status !== 0) {
    console.error("npm ci failed, see above. It needs nothing but the npm registry.");
    process.exit(status ?? 1);
  }
}

/** npm keeps its own copy of the lock file beside what it installed. */
function isInstalled() {
  const installed = new URL("node_modules/.package-lock.json", root);
  if (!existsSync(installed)) return false;
  const wanted = JSON.parse(readFileSync(new URL("package-lock.json", root), "utf8")).packages;
  const present = JSON.parse(readFileSync(installed, "utf8")).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional, os, cpu }]) =>
      path === "" || optional || os !== undefined || cpu !== undefined || present[path]?.version === version,
  );
}
