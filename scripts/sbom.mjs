// Prints a CycloneDX document of the packages that the Pet Store Service runs with. npm makes it, of a copy of the manifests without
// development: `npm sbom --omit=dev -w petstore` leaves out every package that is also needed for development, such as express.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { npm } from "./npm.mjs";

const read = (path) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), "utf8"));
const workspaces = ["src/petstore", "src/tenon"];
// The service has the peers that it needs among its dependencies.
const without = { devDependencies: {}, peerDependencies: {} };
const parent = mkdtempSync(join(tmpdir(), "tenon-sbom-"));
// npm takes the name of the document's subject from the folder.
const cwd = join(parent, "tenon-repository");
try {
  const write = (path, value) => writeFileSync(join(cwd, path), JSON.stringify(value));
  for (const folder of workspaces) {
    mkdirSync(join(cwd, folder), { recursive: true });
    write(`${folder}/package.json`, { ...read(`${folder}/package.json`), ...without });
  }
  write("package.json", { ...read("package.json"), ...without, workspaces });
  const lock = read("package-lock.json");
  // npm 10 keeps a workspace that is gone.
  delete lock.packages["src/cli"];
  delete lock.packages["node_modules/@tenon/cli"];
  write("package-lock.json", lock);
  const quiet = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  const stdio = ["ignore", "ignore", "inherit"];
  const pruned = npm(["install", "--package-lock-only", ...quiet], { cwd, stdio });
  const { status } =
    pruned.status === 0
      ? npm(["sbom", "--package-lock-only", "--sbom-format=cyclonedx"], {
          cwd,
          stdio: ["ignore", "inherit", "inherit"],
        })
      : pruned;
  process.exitCode = status ?? 1;
} finally {
  rmSync(parent, { recursive: true });
}
