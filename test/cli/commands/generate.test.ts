import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { writeChanges } from "../../../src/cli/project/index.js";
import { WriteError } from "../../../src/cli/output/write-files.js";
import { close, listen } from "../../support/http.js";
import { createProject, REDOCLY, toContract } from "../load/project.js";
import { runIn } from "./run.js";

const CONTRACT = toContract(`paths:
  /pets:
    get:
      operationId: listPets
      responses:
        "204": { description: None. }
`);
const TWO = REDOCLY.replace(
  "rules:",
  "  v2:\n    root: v2.yaml\n    x-tenon: { output: generated2 }\nrules:",
);
const FILES = ["calls.ts", "client.ts", "contract.json", "server.ts", "types.ts"];

const run = (cwd: string, ...argv: string[]) => runIn(cwd, "generate", ...argv);

async function createGenerated(contract = CONTRACT) {
  const folder = createProject({ "openapi.yaml": contract });
  expect(await run(folder)).toMatchObject({ exitCode: 0, stderr: "" });
  return folder;
}

function readAll(folder: string) {
  return FILES.map((name) => {
    const path = join(folder, "generated", name);
    return { name, text: readFileSync(path, "utf8"), written: statSync(path, { bigint: true }).mtimeNs };
  });
}

describe("tenon generate", () => {
  test("writes every file and tells so", async () => {
    const folder = createProject({ "openapi.yaml": CONTRACT });
    const { exitCode, stdout } = await run(folder);
    expect(exitCode).toBe(0);
    expect(readdirSync(join(folder, "generated")).sort()).toEqual(FILES);
    expect(stdout).toMatch(/^created {2}generated\/server.ts {2}\+\d+ -0$/m);
  });

  test("rewrites nothing when nothing changed", async () => {
    const folder = await createGenerated();
    const before = readAll(folder);
    expect(await run(folder)).toEqual({ exitCode: 0, stdout: "5 files unchanged\n", stderr: "" });
    expect(readAll(folder)).toEqual(before);
  });

  test("leaves files alone whose line ends git has changed, as on Windows", async () => {
    const folder = await createGenerated();
    for (const { name, text } of readAll(folder))
      writeFileSync(join(folder, "generated", name), text.replaceAll("\n", "\r\n"));
    const before = readAll(folder);
    expect(await run(folder, "--check")).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await run(folder)).toMatchObject({ exitCode: 0, stdout: "5 files unchanged\n" });
    expect(readAll(folder)).toEqual(before);
  });

  test("rewrites only what changed, and tells which operations did", async () => {
    const folder = await createGenerated();
    const client = readAll(folder)[0];
    const described = CONTRACT.replace("None.", "Nothing.");
    writeFileSync(join(folder, "openapi.yaml"), described);
    expect((await run(folder)).stdout).toMatch(/^2 files unchanged$/m);
    expect(readAll(folder)[0]).toEqual(client);

    const changed = CONTRACT + "  /new:\n    post: { responses: { '204': { description: New. } } }\n";
    writeFileSync(join(folder, "openapi.yaml"), changed);
    const { stdout } = await run(folder);
    expect(stdout.split("\n").filter((line) => line.startsWith(" "))).toEqual([
      "  changed operation GET /pets (listPets)",
      "  added operation POST /new",
    ]);
    expect(readAll(folder)[0]).not.toEqual(client);
  });

  test("tells a component that several operations share once", async () => {
    const toText = (description: string) =>
      toContract(`paths: {}\ncomponents:\n  responses:\n    Gone: { description: ${description} }\n`);
    const folder = await createGenerated(toText("Gone."));
    writeFileSync(join(folder, "openapi.yaml"), toText("Away."));
    expect((await run(folder)).stdout).toMatch(/^ {2}changed component responses\/Gone$/m);
  });

  test("tells what was removed", async () => {
    const folder = await createGenerated();
    writeFileSync(join(folder, "openapi.yaml"), toContract("paths: {}\n"));
    expect((await run(folder)).stdout).toMatch(/^ {2}removed operation GET \/pets \(listPets\)$/m);
  });

  test("leaves everything as it was when the contract is broken, and tells where", async () => {
    const folder = await createGenerated();
    const before = readAll(folder);
    writeFileSync(join(folder, "openapi.yaml"), CONTRACT.replace("operationId: listPets", "x-sunset: soon"));
    expect(await run(folder)).toEqual({
      exitCode: 1,
      stdout: "",
      stderr:
        'openapi.yaml:8:7  date-invalid  error: x-sunset must be an RFC 3339 full-date or date-time, for example "2030-12-05", found "soon"\n' +
        "1 error; nothing was written.\n",
    });
    expect(readAll(folder)).toEqual(before);
  });

  test("tells the line of a syntax error", async () => {
    const folder = createProject({ "openapi.yaml": toContract("paths: [\n") });
    const { exitCode, stderr } = await run(folder);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^openapi.yaml:6:1 {2}document-syntax {2}/);
    expect(existsSync(join(folder, "generated"))).toBe(false);
  });

  test("writes no API when another one is broken", async () => {
    const folder = createProject({
      "redocly.yaml": TWO,
      "openapi.yaml": CONTRACT,
    });
    const { exitCode, stderr } = await run(folder);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^redocly.yaml:6:\d+ {2}document-unreadable {2}error: Cannot read "v2.yaml": /);
    expect(existsSync(join(folder, "generated"))).toBe(false);
    expect(await run(folder, "--api", "v1")).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(folder, "generated"))).toBe(true);
  });

  test("reads a contract from its URL", async () => {
    let contract = CONTRACT;
    const server = createServer((_, response) => response.end(contract));
    const url = `http://127.0.0.1:${await listen(server)}/openapi.yaml`;
    try {
      const folder = createProject({ "redocly.yaml": REDOCLY.replace("root: openapi.yaml", `root: ${url}`) });
      expect(await run(folder)).toMatchObject({ exitCode: 0, stderr: "" });
      expect(readFileSync(join(folder, "generated/types.ts"), "utf8")).toContain(url);
      expect(await run(folder, "--check")).toMatchObject({ exitCode: 0 });
      contract = CONTRACT.replace("listPets", "listAll");
      expect(await run(folder, "--check")).toMatchObject({ exitCode: 1 });
      const { exitCode, stdout } = await runIn(folder, "lint", "--fix");
      expect({ exitCode, stdout }).toEqual({
        exitCode: 0,
        stdout: "0 problems fixed, 0 errors, 0 warnings\n",
      });
      contract = "paths: [";
      const { stderr } = await run(folder);
      expect(stderr).toContain(`${url}:1:`);
    } finally {
      await close(server);
    }
  });

  test("names the API of each change when there are several", async () => {
    const folder = createProject({ "redocly.yaml": TWO, "openapi.yaml": CONTRACT, "v2.yaml": CONTRACT });
    await run(folder);
    writeFileSync(join(folder, "v2.yaml"), CONTRACT.replace("None.", "Nothing."));
    expect((await run(folder)).stdout).toMatch(/^ {2}v2: changed operation GET \/pets \(listPets\)$/m);
    writeFileSync(join(folder, "v2.yaml"), CONTRACT);
    expect(JSON.parse((await run(folder, "--json")).stdout)).toMatchObject({
      changes: [{ api: "v2", change: "changed operation GET /pets (listPets)" }],
    });
  });

  test("prints a problem of a file that two APIs share once", async () => {
    const shared = toContract("paths:\n  /a: { $ref: shared.yaml }\n");
    const get = (description: string) => `get: { responses: { "204": ${description} } }\n`;
    const folder = createProject({
      "redocly.yaml": TWO.replace("struct: error", "struct: error\n  operation-summary: warn"),
      "openapi.yaml": shared,
      "v2.yaml": shared,
      "shared.yaml": get("{ description: Done. }"),
    });
    expect((await run(folder)).stderr.match(/shared\.yaml:1:1 {2}operation-summary/g)).toHaveLength(1);
    expect(
      (JSON.parse((await run(folder, "--json")).stdout) as { problems: unknown[] }).problems,
    ).toHaveLength(1);
    writeFileSync(join(folder, "shared.yaml"), get("{}"));
    expect((await run(folder)).stderr.match(/ struct /g)).toHaveLength(1);
  });

  test("prints warnings and goes on", async () => {
    const folder = createProject({
      "redocly.yaml": REDOCLY.replace("struct: error", "info-license: warn"),
      "openapi.yaml": CONTRACT,
    });
    const { exitCode, stderr } = await run(folder);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^openapi.yaml:2:1 {2}info-license {2}warning: /);
  });
});

test("tenon generate tells a hundred warnings, and how many more there are", async () => {
  const folder = createProject({
    "redocly.yaml": REDOCLY.replace("struct: error", "operation-summary: warn"),
    "openapi.yaml": `${CONTRACT}${Array.from({ length: 120 }, (_, index) => `  /p${index}: { get: { responses: { "204": { description: Done. } } } }\n`).join("")}`,
  });
  const { exitCode, stderr } = await run(folder);
  expect(exitCode).toBe(0);
  expect(stderr.match(/operation-summary/g)).toHaveLength(100);
  expect(stderr).toMatch(/^and \d+ more; ".* lint --json" prints all$/m);
});

describe("a contract that is split by tag", () => {
  const tagged = CONTRACT.replace("operationId: listPets", "operationId: listPets\n      tags: [Pets]");

  test("has its files in folders, and whatever else is there is stray", async () => {
    const redocly = REDOCLY.replace("generated", "generated, split: true");
    const folder = createProject({ "openapi.yaml": tagged, "redocly.yaml": redocly });
    expect(await run(folder)).toMatchObject({ exitCode: 0 });
    expect(readdirSync(join(folder, "generated/operations"))).toEqual(["pets.ts"]);
    expect(await run(folder, "--check")).toMatchObject({ exitCode: 0 });

    writeFileSync(join(folder, "generated/operations/old.ts"), "");
    const { exitCode, stderr } = await run(folder, "--check");
    expect(exitCode).toBe(1);
    expect(stderr.split("\n").slice(0, 1)).toEqual(["stray    generated/operations/old.ts"]);
  });

  test("loses the files that it needs no more, and nobody else's", async () => {
    const redocly = REDOCLY.replace("generated", "generated, split: true");
    const folder = createProject({ "openapi.yaml": tagged, "redocly.yaml": redocly });
    await run(folder);
    writeFileSync(join(folder, "generated/notes.ts"), "// Mine.\n");
    writeFileSync(join(folder, "redocly.yaml"), REDOCLY);
    const { exitCode, stderr } = await run(folder, "--check");
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^stale {4}generated\/operations\/pets.ts$/m);
    expect((await run(folder)).stdout).toMatch(/^removed {2}generated\/operations\/pets.ts {2}\+0 -\d+$/m);
    expect(readdirSync(join(folder, "generated"))).toEqual([
      ...["calls.ts", "client.ts", "contract.json", "notes.ts", "server.ts", "types.ts"],
    ]);
  });
});

describe("writeChanges", () => {
  test("leaves every file as it was, and no other one behind, when one cannot be written", async () => {
    const folder = createProject({ "generated/a.ts": "old" });
    const toChange = (name: string) =>
      ({ path: join(folder, "generated", name), kind: "changed", before: "old", after: "new" }) as const;
    const changes = [toChange("a.ts"), toChange("a.ts/below-a-file.ts")];
    await expect(writeChanges(changes)).rejects.toThrow(WriteError);
    expect(readdirSync(join(folder, "generated"))).toEqual(["a.ts"]);
    expect(readFileSync(join(folder, "generated/a.ts"), "utf8")).toBe("old");
  });
});

describe("tenon generate --check", () => {
  test("is content with what was generated", async () => {
    const folder = await createGenerated();
    expect(await run(folder, "--check")).toEqual({
      exitCode: 0,
      stdout: "Generated files are up to date.\n",
      stderr: "",
    });
  });

  test("names what is missing, differs or is stray, and writes nothing", async () => {
    const folder = await createGenerated();
    rmSync(join(folder, "generated/types.ts"));
    writeFileSync(join(folder, "generated/client.ts"), "// edited by hand\n");
    writeFileSync(join(folder, "generated/old.ts"), "");
    expect(await run(folder, "--check", "--api", "v1")).toEqual({
      exitCode: 1,
      stdout: "",
      stderr:
        "missing  generated/types.ts\ndiffers  generated/client.ts\nstray    generated/old.ts\n" +
        'Run "tenon generate" and delete stray files.\n',
    });
    expect(readFileSync(join(folder, "generated/client.ts"), "utf8")).toBe("// edited by hand\n");
    expect(existsSync(join(folder, "generated/types.ts"))).toBe(false);
  });
});

describe("tenon generate: usage", () => {
  test("--help shows an example", async () => {
    const { exitCode, stdout } = await run(createProject({}), "--help");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("tenon generate --check --api v1");
  });

  test.each([
    ["an unknown flag", ["--chekc"], /'--chekc'[^]* generate --help/],
    ["an unknown API", ["--api", "v9"], /Unknown API "v9": redocly.yaml has an output for v1\.\n$/],
  ])("refuses %s and tells what to do", async (_, argv, want) => {
    const { exitCode, stderr } = await run(createProject({ "openapi.yaml": CONTRACT }), ...argv);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(want);
  });
});
