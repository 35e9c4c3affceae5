import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { createProject, REDOCLY, toContract } from "../contract/project.js";
import { compile, installTenon } from "./compile.js";
import { runIn } from "./run.js";

const HANDLERS = REDOCLY.replace("output: generated", "output: generated, handlers: src/handlers");

const toOperation = (path: string, id: string, tags: string) =>
  `  ${path}:\n    get: { operationId: ${id}, tags: ${tags}, responses: { "204": { description: Done. } } }\n`;

const CONTRACT = toContract(
  "paths:\n" +
    toOperation("/pets", "listPets", "[pets]") +
    toOperation("/orders", "list-orders", "[Store orders, pets]") +
    toOperation("/owners", "listOwners", "[Pets]") +
    toOperation("/hostile", "hostile", '["*/ class index"]') +
    toOperation("/index", "showIndex", "[index]") +
    toOperation("/health", "health", "[]") +
    '  /ahead:\n    get: { responses: { "501": { description: Not yet. } } }\n',
);

const createStubbed = async (contract = CONTRACT) => {
  const folder = createProject({ "redocly.yaml": HANDLERS, "openapi.yaml": contract });
  await runIn(folder, "generate");
  return { folder, outcome: await runIn(folder, "stubs") };
};

const read = (folder: string) =>
  new Map(
    readdirSync(join(folder, "src/handlers"), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(join(folder, "src/handlers", name), "utf8")]),
  );

describe("tenon stubs", () => {
  test("writes one file a tag, the context and what combines them", async () => {
    const { folder, outcome } = await createStubbed();
    const names = [
      ...["pets", "store-orders", "class-index", "index-tag", "operations", "context", "index"].map(
        (name) => `${name}.ts`,
      ),
    ];
    expect(outcome).toEqual({
      exitCode: 0,
      stdout: names.map((name) => `created  src/handlers/${name}\n`).join(""),
      stderr: "",
    });
    expect([...read(folder).keys()].sort()).toEqual(names.sort());
  });

  test("writes what compiles as the handlers of the whole contract", async () => {
    const { folder } = await createStubbed();
    installTenon(folder);
    const use = `import { createApi } from "../generated/server.js";
import { handlers } from "./handlers/index.js";
export const api = createApi({ handlers, authenticators: {}, context: () => ({}), errorBody: (problem) => problem });
`;
    writeFileSync(join(folder, "src/main.ts"), use);
    expect(compile(folder, ["src/main.ts"])).toEqual([]);
    writeFileSync(
      join(folder, "src/main.ts"),
      use.replace("{ handlers,", "{ handlers: { ...handlers, health: 1 },"),
    );
    expect(compile(folder, ["src/main.ts"])).not.toEqual([]);
  });

  test("touches nothing once it is written", async () => {
    const { folder } = await createStubbed();
    for (const name of read(folder).keys()) {
      const path = join(folder, "src/handlers", name);
      writeFileSync(path, `${readFileSync(path, "utf8")}// Mine.\n`);
    }
    const before = read(folder);
    expect(await runIn(folder, "stubs")).toEqual({
      exitCode: 0,
      stdout: "Every operation has a handler.\n",
      stderr: "",
    });
    expect(read(folder)).toEqual(before);
  });

  test("tells what a written file lacks, with what to paste, and leaves it alone", async () => {
    const { folder } = await createStubbed();
    const before = read(folder);
    writeFileSync(
      join(folder, "openapi.yaml"),
      CONTRACT + toOperation("/more", "listMore", "[pets]") + toOperation("/new", "listNew", "[new]"),
    );
    expect(await runIn(folder, "stubs")).toEqual({
      exitCode: 1,
      stdout: `created  src/handlers/new.ts
missing  src/handlers/pets.ts  listMore; paste and complete:

  /** GET /more */
  listMore() {
    throw new HttpError("not_implemented");
  },

missing  src/handlers/index.ts  newHandlers; paste and complete:

import { newHandlers } from "./new.js";
  ...newHandlers,

`,
      stderr: "",
    });
    for (const [name, text] of before) expect(read(folder).get(name)).toBe(text);
  });

  test.each([
    ["an object", "export const mine = { async listPets() {} } satisfies object;", "mine"],
    ["a class", "class Pets { listPets() {} }\nexport const pets = new Pets();", undefined],
    ["a function that makes them", "export const createPets = () => ({ listPets: () => {} });", undefined],
  ])("finds handlers that are %s, whatever their file is called", async (_, text, combined) => {
    const folder = createProject({
      "redocly.yaml": HANDLERS,
      "openapi.yaml": toContract(
        `paths:\n${toOperation("/pets", "listPets", "[pets]")}${toOperation("/new", "listNew", "[new]")}`,
      ),
      "src/handlers/deep/animals.ts": text,
    });
    const { stdout } = await runIn(folder, "stubs");
    expect(stdout).not.toContain("pets.ts");
    const index = read(folder).get("index.ts") ?? "";
    expect(index.includes('import { mine } from "./deep/animals.js";')).toBe(combined !== undefined);
    expect(index).toContain("...newHandlers");
  });

  test("--json prints one document", async () => {
    const folder = createProject({ "redocly.yaml": HANDLERS, "openapi.yaml": CONTRACT });
    const { stdout } = await runIn(folder, "stubs", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      lacks: [],
      created: expect.arrayContaining(["src/handlers/pets.ts"]),
    });
  });

  test("says what to add when no API says where its handlers are", async () => {
    const folder = createProject({ "openapi.yaml": CONTRACT });
    expect(await runIn(folder, "stubs")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("add `handlers: src/handlers` to its x-tenon"),
    });
  });
});
