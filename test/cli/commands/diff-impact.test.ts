// @thorough: compiles the code of a service for each change.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { toGithub } from "../../../src/cli/diff/report/github.js";
import { toMarkdown } from "../../../src/cli/diff/report/markdown.js";
import { writeText } from "../../../src/cli/diff/report/text.js";
import type { CodePlace } from "../../../src/cli/impact/impact.js";
import type { Diff } from "../../../src/cli/diff/diff-contracts.js";
import { createProject, toContract } from "../load/project.js";
import { installTenon } from "./compile.js";
import { runIn } from "./run.js";

const REDOCLY = `apis:
  v1:
    root: openapi.yaml
    x-tenon: { output: generated, handlers: src/handlers }
`;

const CONTRACT = toContract(`paths:
  /notes:
    get:
      operationId: listNotes
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: 100, default: 20 } }
      responses:
        "200": { description: Notes., content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Note" } } } } }
    post:
      operationId: createNote
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/NewNote" } } } }
      responses:
        "201": { description: Note., content: { application/json: { schema: { $ref: "#/components/schemas/Note" } } } }
  /notes/{noteId}:
    parameters: [{ name: noteId, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: getNote
      responses:
        "200": { description: Note., content: { application/json: { schema: { $ref: "#/components/schemas/Note" } } } }
    delete:
      operationId: deleteNote
      responses: { "204": { description: Gone. } }
components:
  schemas:
    NewNote: { type: object, required: [text], properties: { text: { type: string } } }
    Note: { type: object, required: [id, text], properties: { id: { type: integer }, text: { type: string } } }
`);

/** Handlers as people write them: members of an object, a function with the handler's type, one with the request's type. */
const FILES = {
  "src/handlers/notes.ts": `import type { PartialHandlers } from "tenon/runtime";
import type { CreateNoteReplies, CreateNoteRequest, Handlers, Principals } from "../../generated/server.js";
import { toNote } from "../notes.js";

type All = Handlers<object, Principals>;

const getNote: All["getNote"] = ({ path: { noteId } }, reply) => {
  return reply[200]({ id: noteId, text: "" });
};

function create({ body }: CreateNoteRequest, reply: CreateNoteReplies) {
  return reply[201](toNote(body.text));
}

export const notesHandlers = {
  listNotes({ query }, reply) {
    return reply[200]([toNote(String(query.limit))]);
  },
  createNote: (request, reply) => create(request, reply),
  getNote,
} satisfies PartialHandlers<All>;
`,
  "src/handlers/index.ts": `import type { Handlers, Principals } from "../../generated/server.js";
import { notesHandlers } from "./notes.js";

export const handlers: Handlers<object, Principals> = {
  ...notesHandlers,
  deleteNote: (_, reply) => reply[204](),
};
`,
  "src/notes.ts": `import type { Note } from "../generated/server.js";

export const toNote = (text: string): Note => ({ id: 1, text });
`,
  "src/call.ts": `import { createClient } from "../generated/client.js";

const client = createClient({ baseUrl: "" });
const result = await client.GET("/notes");
export const texts = result.data?.map(({ text }) => text);
export const created = await client.POST("/notes", { body: { text: "" } });
`,
};

const TSCONFIG = {
  compilerOptions: {
    target: "ES2023",
    // Tenon is installed as its sources, which need a library more.
    lib: ["ES2023", "ES2024.String"],
    customConditions: ["tenon-source"],
    module: "NodeNext",
    types: ["node"],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ["src", "generated"],
};

const DIFFERENT = CONTRACT.replace("maximum: 100", "maximum: 50")
  .replaceAll(
    "NewNote: { type: object, required: [text], properties: { text:",
    "NewNote: { type: object, required: [title], properties: { title:",
  )
  .replace("properties: { id: { type: integer }, text:", "properties: { id: { type: string }, text:")
  .replace("    delete:\n      operationId: deleteNote", "    put:\n      operationId: replaceNote");

/** A repository whose first commit has {@link CONTRACT}; nothing is generated in it. */
function createRepository({
  files = {},
  installed = true,
}: { files?: Record<string, string>; installed?: boolean } = {}) {
  const folder = createProject({
    "redocly.yaml": REDOCLY,
    "openapi.yaml": CONTRACT,
    "tsconfig.json": JSON.stringify(TSCONFIG),
    ".gitignore": "node_modules\n",
    ...FILES,
    ...files,
  });
  if (installed) installTenon(folder, ["@types/node", "@types/express", "express"]);
  git(folder, "init", "-q", "-b", "main");
  git(folder, "add", ".");
  git(folder, "-c", "user.name=A", "-c", "user.email=a@b.example", "commit", "-q", "-m", "first");
  writeFileSync(join(folder, "openapi.yaml"), DIFFERENT);
  return folder;
}

function git(folder: string, ...argv: string[]): string {
  return execFileSync("git", argv, { cwd: folder, encoding: "utf8" });
}

async function ask(folder: string, ...argv: string[]): Promise<Diff> {
  const { stdout, stderr } = await runIn(folder, "diff", "main", "--json", ...argv);
  expect(stderr).toBe("");
  return JSON.parse(stdout) as Diff;
}

/** `src/notes.ts:3 other`. */
const show = (places: readonly CodePlace[]) =>
  places.map(({ file, line, role }) => `${file}:${line} ${role}`);

describe("what changes mean to code", () => {
  const folder = createRepository();
  let told: Diff;

  beforeAll(async () => {
    told = await ask(folder);
  });

  test("each operation's handlers and calls that do not compile, by file and line; nothing is written", () => {
    const { impact } = told;
    const places = Object.fromEntries(
      (impact?.operations ?? []).map((found) => [found.operation ?? "", show(found.places)]),
    );
    expect(impact?.code).toEqual({ asked: true });
    expect(places).toEqual({
      "": [],
      "GET /notes": [],
      "POST /notes": ["src/call.ts:6 call", "src/handlers/notes.ts:12 handler"],
      "GET /notes/{noteId}": ["src/handlers/notes.ts:8 handler"],
      "DELETE /notes/{noteId}": ["src/handlers/index.ts:6 handler"],
      "PUT /notes/{noteId}": [],
    });
    expect(show(impact?.elsewhere ?? [])).toEqual(["src/notes.ts:3 other"]);
    expect(git(folder, "status", "--porcelain")).toBe(" M openapi.yaml\n");
    expect(existsSync(join(folder, "generated"))).toBe(false);
  });

  test("each change has what concerns it", () => {
    const impactOf = (code: string) => told.changes.find((change) => change.code === code)?.impact;
    expect(impactOf("request-maximum-lowered")).toEqual({ clients: [], places: [] });
    const required = impactOf("request-required-property-added");
    expect(required?.clients?.map(({ at, message }) => `${at} ${message}`)).toEqual([
      "body.text is no longer accepted",
      "body.title is required now",
    ]);
    expect(required?.places[0]).toMatchObject({ code: "TS2353", column: 62 });
    const added = impactOf("operation-added");
    expect(added).toEqual({ handlerMissing: true, places: [] });
  });

  test("as text, Markdown and annotations", () => {
    let text = "";
    writeText(told, { write: (chunk) => (text += chunk) }, { readLine: () => undefined });
    expect(text).toContain(`  openapi.yaml:29  The request body got the required property "title"
  {"text":"Silver garden quiet river cloud."} was valid and is no longer valid.
  Clients may not compile: body.text is no longer accepted; body.title is required now.
`);
    expect(text).toContain("  Clients still compile; the break only shows at run time.\n");
    expect(text.match(/ {2}src\/call\.ts:6:62 {2}TS2353 {2}Object literal/g)).toHaveLength(1);
    expect(text).toContain("  It has no handler yet.\n");
    expect(text).toContain("code      other code that does not compile\n  src/notes.ts:3:50  TS2322  ");
    expect(text).toContain(
      "Clients of 4 operations may not compile. 5 places of the code here do not compile. 1 handler is missing.\n",
    );
    const markdown = toMarkdown(told);
    expect(markdown).toContain("<br>Code: src/handlers/notes.ts:12:33");
    expect(markdown).toContain("<details><summary>Code (5)</summary>");
    const github = toGithub(told, (file) => ({ file, isSame: true }));
    expect(github).toContain(
      "::error file=src/handlers/notes.ts,line=12,col=33,title=does not compile%3A POST /notes::TS2339",
    );
  });

  test("calls by name, their results and their pages", async () => {
    const service = createRepository({
      files: {
        "src/names.ts": `import * as calls from "../generated/calls.js";
import { createNote, createClient } from "../generated/client.js";

const client = createClient({ baseUrl: "" });
await createNote(client, { body: { text: "" } });
await client.createNote({ body: { text: "" } }).orThrow();
await calls.createNote(client, { body: { text: "" } });
const note = await client.getNote({ path: { noteId: 1 } }).orThrow();
export const id: number = note.id;
const { data: read } = await client.getNote({ path: { noteId: 1 } });
export const same: number = read!.id;
for await (const each of client.listNotes.items()) Math.abs(each.id);
await client.deleteNote({ path: { noteId: 1 } });
export const failed = (error: unknown) => client.deleteNote.isError(error);
`,
      },
    });
    const withPages = (contract: string) =>
      contract.replace(
        "{ description: Notes.,",
        "{ description: Notes., headers: { Link: { schema: { type: string } } },",
      );
    writeFileSync(join(service, "openapi.yaml"), withPages(CONTRACT));
    git(service, "-c", "user.name=A", "-c", "user.email=a@b.example", "commit", "-q", "-a", "-m", "pages");
    writeFileSync(join(service, "openapi.yaml"), withPages(DIFFERENT));
    const { impact } = await ask(service);
    const places = (impact?.operations ?? []).flatMap((found) =>
      show(found.places)
        .filter((place) => place.startsWith("src/names.ts"))
        .map((place) => `${found.operation} ${place}`),
    );
    expect(show(impact?.elsewhere ?? [])).toEqual(["src/notes.ts:3 other"]);
    expect(places).toEqual([
      "GET /notes src/names.ts:12 call",
      ...[5, 6, 7].map((line) => `POST /notes src/names.ts:${line} call`),
      ...[9, 11].map((line) => `GET /notes/{noteId} src/names.ts:${line} call`),
      ...[13, 14].map((line) => `DELETE /notes/{noteId} src/names.ts:${line} call`),
    ]);
  });

  test("a new operation is missed by whatever has to have a handler for it", async () => {
    const service = createRepository({
      files: {
        "src/service.ts": `import { createApi, type Handlers, type Principals } from "../generated/server.js";
import { handlers as all } from "./handlers/index.js";

export class Service implements Handlers<object, Principals> {
  listNotes = all.listNotes;
  createNote = all.createNote;
  getNote = all.getNote;
  deleteNote = all.deleteNote;
}
const { listNotes, createNote, getNote, deleteNote } = all;
const handlers = { listNotes, createNote, getNote, deleteNote };
export const api = createApi({ handlers, errorBody: (problem) => problem });
`,
      },
    });
    const put = CONTRACT.replace(
      "    delete:\n",
      "    put: { operationId: replaceNote, responses: {} }\n    delete:\n",
    );
    writeFileSync(join(service, "openapi.yaml"), put);
    const { impact } = await ask(service);
    expect(impact?.code).toEqual({ asked: true });
    expect(impact?.elsewhere).toEqual([]);
    const added = impact?.operations.find(({ operation }) => operation === "PUT /notes/{noteId}");
    expect(added).toMatchObject({ handlerMissing: true });
    expect(show(added?.places ?? [])).toEqual([
      "src/handlers/index.ts:4 handler",
      "src/service.ts:4 handler",
      "src/service.ts:12 handler",
    ]);
  });

  test("code that follows the revision already is not told, and of errors of its own it says that", async () => {
    const service = createRepository({
      files: {
        "src/own.ts":
          'import { old } from "../generated/old.js";\nexport const own: number = String(old);\nimport "../generated/server.js";\n',
        // Neither contract gives this one: to the compiler it is not there.
        "generated/old.ts": "export const old = 1;\n",
      },
    });
    writeFileSync(join(service, "openapi.yaml"), CONTRACT.replace("listNotes", "listAll"));
    const handlers = join(service, "src/handlers/notes.ts");
    writeFileSync(handlers, readFileSync(handlers, "utf8").replace("listNotes", "listAll"));
    const { impact } = await ask(service);
    expect(impact?.operations.flatMap(({ places }) => places)).toEqual([]);
    expect(impact?.elsewhere).toEqual([]);
    expect(impact?.code).toEqual({
      asked: true,
      note: "the program has 2 errors of its own, which may hide more: src/own.ts:1  Cannot find module '../generated/old.js' or its corresponding type declarations.",
    });
  });

  test.each([
    [
      "packages are not installed",
      { installed: false },
      /^the program of tsconfig\.json cannot be checked: Cannot find type definition file for 'node'/,
    ],
    [
      "Tenon is not installed",
      {
        installed: false,
        files: {
          "tsconfig.json": JSON.stringify({ compilerOptions: { types: [], noEmit: true }, include: ["src"] }),
        },
      },
      /^generated\/calls\.ts cannot find "tenon\/client"; install the packages$/,
    ],
    [
      "tsconfig.json is broken",
      { files: { "tsconfig.json": "{" } },
      /^tsconfig\.json cannot be used: '}' expected/,
    ],
    [
      "there is no code",
      { files: { "tsconfig.json": '{ "include": ["generated"] }' } },
      /^tsconfig\.json cannot be used: No inputs were found/,
    ],
  ])("says so when it cannot be asked: %s", async (_, options, note) => {
    const { impact } = await ask(createRepository(options));
    expect(impact?.code).toEqual({ asked: false, note: expect.stringMatching(note) });
    expect(impact?.clients).toEqual({ asked: true });
  });

  test("another API as the base is not compared", async () => {
    const folder = createRepository();
    writeFileSync(join(folder, "other.yaml"), CONTRACT.replaceAll("/notes", "/pets"));
    const { stdout } = await runIn(folder, "diff", "other.yaml", "openapi.yaml", "--format", "text");
    expect(stdout).toContain("The compiler was not asked: the contracts have no operation in common.\n");
  });

  test("a contract that no types can be made of is told", async () => {
    const folder = createRepository();
    const broken = CONTRACT.replaceAll("createNote", "listNotes");
    writeFileSync(join(folder, "old.yaml"), broken);
    const { stdout } = await runIn(folder, "diff", "old.yaml", "openapi.yaml");
    expect(stdout).toMatch(/The compiler was not asked: types cannot be generated from old\.yaml: /);
  });

  test("is asked where there is a project, and where it is wanted", async () => {
    const impactOf = async (...argv: string[]) => {
      const { stdout } = await runIn(folder, "diff", ...argv, "--json");
      return (JSON.parse(stdout) as Diff).impact;
    };
    writeFileSync(join(folder, "other.yaml"), CONTRACT);
    expect(await impactOf("main", "--no-impact")).toBeUndefined();
    expect(await impactOf("openapi.yaml", "other.yaml")).toBeUndefined();
    expect(await impactOf("openapi.yaml", "other.yaml", "--impact")).toMatchObject({
      clients: { asked: true },
      code: { asked: false, note: "redocly.yaml has no API with the contract other.yaml" },
    });
  });
});
