// @thorough: type-checks a project after every edit.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { createProject, REDOCLY, toContract } from "../load/project.js";
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

const PETS = toOperation("/pets", "listPets", "[pets]");

/** With an operation for a file that is written, and one for a file that is not. */
const GROWN = CONTRACT + toOperation("/more", "listMore", "[pets]") + toOperation("/new", "listNew", "[new]");

interface Insertion {
  readonly at: { readonly line: number; readonly column: number };
  readonly text: string;
}

const listLacks = async (folder: string) =>
  JSON.parse((await runIn(folder, "stubs", "--json")).stdout) as {
    lacks: { file: string; missing: string[]; insert: Insertion[] }[];
  };

/** What somebody with an editor does, one insertion after the other. */
function paste(folder: string, file: string, insert: readonly Insertion[]): void {
  for (const { at, text } of insert) {
    const lines = readFileSync(join(folder, file), "utf8").split("\n");
    const line = lines[at.line - 1] ?? "";
    lines[at.line - 1] = line.slice(0, at.column - 1) + text + line.slice(at.column - 1);
    save(folder, file, lines.join("\n"));
  }
}

const save = (folder: string, name: string, text: string) => {
  writeFileSync(join(folder, name), text);
};

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

  test("writes files whose names every file system accepts", async () => {
    const contract = `paths:\n${toOperation("/device", "device", "[CON]")}${toOperation("/long", "long", `[${"動".repeat(10_000)}]`)}`;
    const { folder, outcome } = await createStubbed(toContract(contract));
    expect(outcome.exitCode).toBe(0);
    const names = ["con-tag.ts", `${"動".repeat(60)}.ts`, "context.ts", "index.ts"];
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

  test("writes what compiles for operations that are called as every object's members are", async () => {
    const names = ["constructor", "toString", "hasOwnProperty", "valueOf", "__proto__"];
    const contract = toContract(
      `paths:\n${names.map((id) => toOperation(`/${id}`, id, `[${id}]`)).join("")}${PETS}`,
    );
    const { folder } = await createStubbed(contract);
    installTenon(folder);
    const use = `import { createApi, createPartialApi } from "../generated/server.js";
import { handlers } from "./handlers/index.js";
const options = { authenticators: {}, context: () => ({}), errorBody: (problem: unknown) => problem };
export const whole = createApi({ ...options, handlers });
export const part = createPartialApi({ ...options, unimplemented: "501", handlers: {} });
export const typed = createPartialApi({
  ...options,
  unimplemented: "501",
  handlers: { hasOwnProperty: (_, reply) => reply[204]() },
});
`;
    save(folder, "src/main.ts", use);
    expect(compile(folder, ["src/main.ts"])).toEqual([]);
    save(folder, "src/main.ts", use.replace("reply[204]()", "1"));
    expect(compile(folder, ["src/main.ts"])).not.toEqual([]);
  });

  test("destructures what an operation declares, in names that compile and that no lint reports as unused", async () => {
    const contract = toContract(`paths:
  /pets/{pet-id}/{class}:
    put:
      operationId: replacePet
      tags: [pets]
      parameters:
        - { name: pet-id, in: path, required: true, schema: { type: integer } }
        - { name: class, in: path, required: true, schema: { type: string } }
        - { name: class, in: query, schema: { type: string } }
        - { name: X-Trace, in: header, schema: { type: string } }
        - { name: reply, in: cookie, schema: { type: string } }
      requestBody: { content: { application/json: { schema: { type: object, properties: { name: { type: string } } } } } }
      responses: { "204": { description: Done. } }
`);
    const { folder } = await createStubbed(contract);
    const text = read(folder).get("pets.ts");
    expect(text).toContain(`  replacePet(
    {
      path: { "pet-id": petId, class: class_ },
      query: { class: class__ },
      headers: { "x-trace": XTrace },
      cookies: { reply: reply_ },
      body,
    },
    reply,
  ) {
    void [petId, class_, class__, XTrace, reply_, body, reply]; // Not used yet.
    throw new HttpError("not_implemented");
  },
`);
    installTenon(folder);
    expect(compile(folder, ["src/handlers/index.ts"])).toEqual([]);
    save(folder, "src/handlers/pets.ts", (text ?? "").replace("void [petId", "petId.length; void [petId"));
    expect(compile(folder, ["src/handlers/index.ts"]).join()).toContain(
      "'length' does not exist on type 'number'",
    );
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

  test("tells what a written file lacks, with what to paste where, and leaves it alone", async () => {
    const { folder } = await createStubbed();
    const before = read(folder);
    save(folder, "openapi.yaml", GROWN);
    expect(await runIn(folder, "stubs")).toEqual({
      exitCode: 1,
      stdout: `created  src/handlers/new.ts
missing  src/handlers/pets.ts  listMore
paste at src/handlers/pets.ts:18:1, at the end of petsHandlers:

  /** GET /more */
  listMore(_request, reply) {
    void reply; // Not used yet.
    throw new HttpError("not_implemented");
  },

missing  src/handlers/index.ts  newHandlers
paste at src/handlers/index.ts:16:1, at the end of handlers:
  ...newHandlers,

paste at src/handlers/index.ts:1:1, above the imports:
import { newHandlers } from "./new.js";

`,
      stderr: "",
    });
    for (const [name, text] of before) expect(read(folder).get(name)).toBe(text);
  });

  test("what is pasted as told compiles, and nothing is missing afterwards", async () => {
    const { folder } = await createStubbed();
    save(folder, "openapi.yaml", GROWN);
    await runIn(folder, "generate");
    const { lacks } = await listLacks(folder);
    for (const { file, insert } of lacks) paste(folder, file, insert);
    installTenon(folder);
    expect(compile(folder, ["src/handlers/index.ts"])).toEqual([]);
    expect(await runIn(folder, "stubs")).toMatchObject({ exitCode: 0 });
  });

  test.each([
    ["without the import", "export const petsHandlers = {};\n"],
    ["in one line", "export const mine = { listPets() { throw new Error(); } };\n"],
    ["with an import", 'import { HttpError } from "tenon/runtime";\n\nexport const petsHandlers = {\n};\n'],
    ["with a class", "class Pets {\n  listPets() {}\n}\nexport const petsHandlers = new Pets();\n"],
    ["with nothing", "export {};\n"],
  ])("what is pasted compiles in a file %s", async (_, text) => {
    const folder = createProject({
      "redocly.yaml": HANDLERS,
      "openapi.yaml": toContract(`paths:\n${PETS}${toOperation("/more", "listMore", "[pets]")}`),
      "src/handlers/pets.ts": text,
    });
    await runIn(folder, "generate");
    const { lacks } = await listLacks(folder);
    expect(lacks).toMatchObject([{ file: "src/handlers/pets.ts" }]);
    for (const { file, insert } of lacks) paste(folder, file, insert);
    installTenon(folder);
    const files = readdirSync(join(folder, "src/handlers")).filter((name) => name !== "index.ts");
    expect(
      compile(
        folder,
        files.map((name) => `src/handlers/${name}`),
      ),
    ).toEqual([]);
    expect((await listLacks(folder)).lacks.map(({ file }) => file)).not.toContain("src/handlers/pets.ts");
  });

  test.each([
    ["an import that nothing uses", 'import { newHandlers } from "./new.js";\n', "newHandlers"],
    ["an import of something else", 'import { other } from "./new.js";\nother();\n', "newHandlers"],
  ])("%s combines nothing, however often it is asked", async (_, line, missing) => {
    const { folder } = await createStubbed();
    save(folder, "openapi.yaml", CONTRACT + toOperation("/new", "listNew", "[new]"));
    await runIn(folder, "stubs");
    save(folder, "src/handlers/index.ts", line + (read(folder).get("index.ts") ?? ""));
    for (const outcome of [await listLacks(folder), await listLacks(folder)])
      expect(outcome.lacks).toMatchObject([{ file: "src/handlers/index.ts", missing: [missing] }]);
  });

  test.each([
    ["a member of an answer", "export const other = { list() { return { listPets: count() }; } };"],
    ["a member that is a text", 'export const titles = { listPets: "Animals" };'],
  ])("%s is no handler", async (_, text) => {
    const folder = createProject({
      "redocly.yaml": HANDLERS,
      "openapi.yaml": toContract(`paths:\n${PETS}`),
      "src/handlers/other.ts": text,
    });
    expect((await runIn(folder, "stubs")).stdout).toContain("created  src/handlers/pets.ts\n");
  });

  test("one object with all the handlers wants no other that combines it", async () => {
    const folder = createProject({
      "redocly.yaml": HANDLERS,
      "openapi.yaml": toContract(`paths:\n${PETS}`),
      "src/handlers/animals.ts": "export const handlers = { listPets() {} };",
    });
    expect((await runIn(folder, "stubs")).stdout).toBe("Every operation has a handler.\n");
  });

  test("another API's handlers in a folder below are none of this one's", async () => {
    const v2 = "  v2:\n    root: v2.yaml\n    x-tenon: { output: v2, handlers: src/handlers/v2 }\nrules:";
    const folder = createProject({
      "redocly.yaml": HANDLERS.replace("rules:", v2),
      "openapi.yaml": toContract(`paths:\n${PETS}`),
      "v2.yaml": toContract(`paths:\n${PETS}`),
    });
    await runIn(folder, "stubs", "--api", "v2");
    expect((await runIn(folder, "stubs", "--api", "v1")).stdout).toContain("created  src/handlers/pets.ts\n");
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

  test("tells which handlers are for no operation, and what one was renamed to", async () => {
    const { folder } = await createStubbed();
    save(folder, "openapi.yaml", CONTRACT.replace("operationId: listOwners", "operationId: findOwners"));
    const renamed = await runIn(folder, "stubs");
    expect(renamed.exitCode).toBe(1);
    expect(renamed.stdout).toContain("missing  src/handlers/pets.ts  findOwners\n");
    expect(renamed.stdout).toContain(
      'orphan   src/handlers/pets.ts  listOwners is for no operation; if its operation is findOwners now, run "tenon rename listOwners findOwners"\n',
    );
    save(folder, "openapi.yaml", CONTRACT.replace(toOperation("/owners", "listOwners", "[Pets]"), ""));
    expect(await runIn(folder, "stubs")).toEqual({
      exitCode: 1,
      stdout:
        "orphan   src/handlers/pets.ts  listOwners is for no operation; remove or rename it\n" +
        "Every operation has a handler.\n",
      stderr: "",
    });
  });

  test("--json prints one document", async () => {
    const folder = createProject({ "redocly.yaml": HANDLERS, "openapi.yaml": CONTRACT });
    const { stdout } = await runIn(folder, "stubs", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      lacks: [],
      orphans: [],
      created: expect.arrayContaining(["src/handlers/pets.ts"]),
    });
  });

  test("says what to add when no API says where its handlers are", async () => {
    const folder = createProject({ "openapi.yaml": CONTRACT });
    expect(await runIn(folder, "stubs")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("No API sets `x-tenon.handlers`. Add `handlers: src/handlers`."),
    });
  });
});
