// @thorough: asks the compiler for every use of a name.
import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { createProject, REDOCLY, toContract } from "../load/project.js";
import { compile, installTenon } from "./compile.js";
import { runIn } from "./run.js";

const CONTRACT = toContract(`paths:
  # All pets.
  /pets:
    get:
      deprecated: true
      x-deprecated-since: 2025-01-01
      x-sunset: 2099-01-01
      x-replaced-by: getPet   # Kept as it is.
      operationId: listPets
      description: Use [another](#tag/pets/operation/getPet), not getPet of [others](#operation/getPets).
      tags: [pets]
      responses:
        "200":
          description: getPet is not changed here.
          content: { application/json: { schema: { type: object }, example: { operationId: getPet } } }
          links: { one: { operationId: 'getPet' } }
  /pets/{petId}: { $ref: "pet.json" }
  /pets/{petId}/name:
    get:
      operationId: getPetName
      tags: [pets]
      parameters: [{ name: petId, in: path, required: true, schema: { type: string } }]
      responses: { "204": { description: Done. } }
components:
  links:
    unused: { "operationId": "getPet" }
`);

const PET = `{ "get": { "operationId" : "getPet", "tags": ["pets"],\r
  "parameters": [{ "name": "petId", "in": "path", "required": true, "schema": { "type": "string" } }],\r
  "responses": { "204": { "description": "Done." } } } }\r
`;

const HANDLERS = `import type { PartialHandlers } from "tenon/runtime";
import type { GetPetReplies, Handlers, Principals } from "../../generated/server.js";

/** getPet stays in a comment. */
export const petsHandlers = {
  listPets: (_request, reply) => reply[200]({}),
  getPet({ path: { petId } }, reply: GetPetReplies) {
    void [petId, { getPet: 1 }];
    return reply[204]();
  },
  getPetName: (_request, reply) => reply[204](),
} satisfies PartialHandlers<Handlers<object, Principals>>;
`;

const TEST = `import { createTester } from "tenon/testing";
import * as client from "../generated/client.js";
import * as server from "../generated/server.js";
import type { operations } from "../generated/types.js";
import { getPet } from "../generated/calls.js";

const tester = createTester<operations>(() => undefined, { ...server, ...client });
export const result = await tester.getPet({ path: { petId: "1" } });
export const same = await tester["getPet"]({ path: { petId: "1" } });
export type Responses = operations["getPet"]["responses"];
const web = client.createClient({ baseUrl: "" });
export const pending = web.getPet({ path: { petId: "1" } }).orThrow();
export const alone = getPet(web, { path: { petId: "1" } });
`;

/** Calls by name in a file that has no other import of a generated one. */
const WEB = `import { createClient } from "../generated/client.js";
const client = createClient({ baseUrl: "" });
const { data: read } = await client.getPet({ path: { petId: "1" } });
export const found = read;
`;

const FILES = {
  "redocly.yaml": REDOCLY.replace("output: generated", "output: generated, handlers: src/handlers"),
  "openapi.yaml": CONTRACT,
  "pet.json": PET,
  "src/handlers/index.ts": HANDLERS,
  "test/pets.test.ts": TEST,
  "test/web.test.ts": WEB,
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      target: "ES2024",
      module: "NodeNext",
      strict: true,
      skipLibCheck: true,
      types: [],
      customConditions: ["tenon-source"],
    },
    include: ["src", "generated", "test"],
  }),
};

async function createService(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = createProject({ ...FILES, ...files });
  installTenon(folder);
  expect(await runIn(folder, "generate")).toMatchObject({ exitCode: 0 });
  return folder;
}

const read = (folder: string, name: string) => readFileSync(join(folder, name), "utf8");

const readAll = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
      .map(({ parentPath, name }) => [join(parentPath, name), read(parentPath, name)]),
  );

/** The files of the code with the new name. */
const RENAMED = {
  "src/handlers/index.ts": HANDLERS.replace("  getPet({", "  showPet({").replaceAll("GetPet", "ShowPet"),
  "test/pets.test.ts": TEST.replaceAll("getPet", "showPet"),
  "test/web.test.ts": WEB.replaceAll("getPet", "showPet"),
};

describe("tenon rename", () => {
  test("changes the contract's names only, the code that uses them, and the generated files", async () => {
    const folder = await createService();
    const { exitCode, stdout, stderr } = await runIn(folder, "rename", "getPet", "showPet");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(read(folder, "openapi.yaml")).toBe(
      CONTRACT.replace("x-replaced-by: getPet ", "x-replaced-by: showPet ")
        .replace("operation/getPet)", "operation/showPet)")
        .replace("'getPet'", "'showPet'")
        .replace('"getPet"', '"showPet"'),
    );
    expect(read(folder, "pet.json")).toBe(PET.replace("getPet", "showPet"));
    for (const [name, text] of Object.entries(RENAMED)) expect(read(folder, name)).toBe(text);
    expect(stdout).toContain('pet.json:1\n  - { "get": { "operationId" : "getPet"');
    expect(stdout).toContain("src/handlers/index.ts:7\n");
    expect(await runIn(folder, "generate", "--check")).toMatchObject({ exitCode: 0 });
    expect(compile(folder, Object.keys(RENAMED))).toEqual([]);
    expect(await runIn(folder, "stubs")).toMatchObject({ exitCode: 0 });
  });

  test("--dry-run writes nothing, and shows the changes and the lines that keep the name", async () => {
    const folder = await createService({
      "README.md": "# Pets\n\nCall `getPet`, or getPets and forgetPet.\n",
      "web/src/pet.jsx": "export const load = () => client.getPet();\r\n",
      "web/node_modules/other/index.js": "getPet();\n",
      "data.bin": "\0getPet",
      ".gitignore": "ignored/\n",
      "ignored/a.md": "getPet\n",
    });
    const places = [
      "README.md:3  Call `getPet`, or getPets and forgetPet.",
      expect.stringMatching(/^openapi\.yaml:\d+ {2}description: Use \[another\].*, not getPet of/),
      expect.stringMatching(/^openapi\.yaml:\d+ {2}description: getPet is not changed here\.$/),
      expect.stringMatching(/^openapi\.yaml:\d+ {2}.*example: \{ operationId: getPet \}/),
      "src/handlers/index.ts:4  /** getPet stays in a comment. */",
      "src/handlers/index.ts:8  void [petId, { getPet: 1 }];",
      "web/src/pet.jsx:1  export const load = () => client.getPet();",
    ];
    const list = async () => {
      const before = readAll(folder);
      const { exitCode, stdout } = await runIn(folder, "rename", "getPet", "showPet", "--dry-run");
      expect(exitCode).toBe(0);
      expect(stdout).toContain("x-replaced-by: getPet   # Kept as it is.\n");
      expect(stdout).toMatch(/9 files would change, 4 of them generated; nothing was written\n/);
      expect(readAll(folder)).toEqual(before);
      const [, title, found = ""] = /^(getPet stays in .*:)\n([^]*)$/m.exec(stdout) ?? [];
      return {
        title,
        found: found
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => line.trim()),
      };
    };
    const title = (lines: number) =>
      `getPet stays in ${lines} lines; change it where it means the operation:`;
    const ignored = "ignored/a.md:1  getPet";
    expect(await list()).toEqual({ title: title(8), found: [places[0], ignored, ...places.slice(1)] });
    execFileSync("git", ["init", "-q"], { cwd: folder });
    expect(await list()).toEqual({ title: title(7), found: places });
  });

  test("renames the code after the contract was edited by hand", async () => {
    const folder = await createService();
    writeFileSync(join(folder, "pet.json"), PET.replace("getPet", "showPet"));
    const contract = CONTRACT.replace("x-replaced-by: getPet ", "x-replaced-by: showPet ");
    writeFileSync(join(folder, "openapi.yaml"), contract);
    await runIn(folder, "generate");
    expect(await runIn(folder, "rename", "getPet", "showPet")).toMatchObject({ exitCode: 0 });
    expect(read(folder, "openapi.yaml")).toBe(contract);
    for (const [name, text] of Object.entries(RENAMED)) expect(read(folder, name)).toBe(text);
  });

  test("reports the places that it cannot rename", async () => {
    const text =
      'import type { operations } from "../generated/types.js";\nexport const id: keyof operations = "getPet";\n';
    const folder = await createService({ "test/ids.test.ts": text });
    expect(await runIn(folder, "rename", "getPet", "showPet")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("test/ids.test.ts:2:14  TS2322  "),
    });
  });

  test("quotes a name that YAML would read as another value", async () => {
    const folder = await createService();
    expect(await runIn(folder, "rename", "getPetName", "yes")).toMatchObject({ exitCode: 0 });
    expect(read(folder, "openapi.yaml")).toContain('operationId: "yes"\n');
    expect(read(folder, "generated/contract.json")).toContain('"yes"');
  });

  test("renames an operation of two APIs that share its file in both", async () => {
    const v2 = `  v2:\n    root: v2.yaml\n    x-tenon: { output: v2 }\nrules:`;
    const folder = await createService({
      "redocly.yaml": FILES["redocly.yaml"].replace("rules:", v2),
      "v2.yaml": toContract('paths: { "/pets/{petId}": { $ref: pet.json } }\n'),
    });
    expect(await runIn(folder, "rename", "getPet", "showPet")).toMatchObject({ exitCode: 0 });
    expect(await runIn(folder, "generate", "--check")).toMatchObject({ exitCode: 0 });
  });

  test.each([
    ["an unknown name", ["getPat", "showPet"], 'Unknown operation "getPat". Did you mean getPet?'],
    ["a name that is taken", ["getPet", "listPets"], "listPets is the name of GET /pets."],
    ["a name that is no identifier", ["getPet", "show-pet"], '"show-pet" is not an identifier.'],
    ["an unknown API", ["getPet", "showPet", "--api", "v3"], 'Unknown API "v3"'],
  ])("refuses %s", async (_, names, message) => {
    const folder = await createService();
    const before = readAll(folder);
    const outcome = await runIn(folder, "rename", ...names);
    expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
    expect(readAll(folder)).toEqual(before);
  });

  test.each([
    [
      "operations of different APIs",
      (folder: string) => {
        const v2 = `  v2:\n    root: v2.yaml\n    x-tenon: { output: v2 }\nrules:`;
        writeFileSync(join(folder, "redocly.yaml"), FILES["redocly.yaml"].replace("rules:", v2));
        writeFileSync(join(folder, "pet2.json"), PET);
        writeFileSync(
          join(folder, "v2.yaml"),
          toContract('paths: { "/pets/{petId}": { $ref: pet2.json } }\n'),
        );
      },
      "Several APIs have an operation getPet: v1, v2. Choose one with --api.",
    ],
    [
      "an operation without an operationId",
      (folder: string) => {
        writeFileSync(join(folder, "pet.json"), PET.replace('"operationId" : "getPet", ', ""));
        writeFileSync(
          join(folder, "openapi.yaml"),
          CONTRACT.replaceAll(/.*(?:x-replaced-by|operationId: 'getPet').*\n/g, ""),
        );
      },
      "GET /pets/{petId} has no operationId; getPetsPetId is derived",
      "getPetsPetId",
    ],
    [
      "a value that is an alias",
      (folder: string) => {
        writeFileSync(
          join(folder, "openapi.yaml"),
          CONTRACT.replace("x-replaced-by: getPet", "x-replaced-by: &id getPet").replace("'getPet'", "*id"),
        );
      },
      "does not contain getPet as plain text",
    ],
    [
      "a file that is read-only",
      (folder: string) => {
        chmodSync(join(folder, "src/handlers/index.ts"), 0o444);
      },
      "Cannot write src/handlers/index.ts",
    ],
  ])("refuses %s", async (_, change, message, name = "getPet") => {
    const folder = await createService();
    change(folder);
    const before = readAll(folder);
    const outcome = await runIn(folder, "rename", name, "showPet");
    expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
    expect(readAll(folder)).toEqual(before);
  });
});
