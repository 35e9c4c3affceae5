import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { createProject } from "../load/project.js";
import { runIn } from "./run.js";

const REDOCLY = `apis:
  v1:
    root: openapi.yaml
    x-tenon: { output: generated }
plugins: ["@tenon/cli/lint"]
rules:
  struct: error
  operation-operationId: error
  no-server-trailing-slash: error
  tenon/schema-keyword-known: error
`;

/** Everything that a formatter would change, and comments wherever YAML allows them. */
const CONTRACT = `# The first line.
openapi:   3.1.0
info: {title: "Notes",   version: '1.0.0'} # Not formatted.

servers:
    - url:  https://notes.example/v1/   # With a slash.
paths:
    # The only path.
    /notes/{noteId}:
        parameters:
            - {name: noteId,   in: Path, required: true, schema: {type: string}}
        # Before the method.
        get:
            # Before the first member.
            summary: >-
                Get
                a note
            responses:
                "200":
                    description: 'A note.'
                    content:
                        application/json:
                            schema: { "$ref": "#/components/schemas/Not" }   # One candidate.
components:
    schemas:
        Note:
            type: object
            aditionalProperties: false   # Misspelt.
            properties:
                text: {type: string, "maxlength": 9}
`;

/** The fixes, in the order of their lines. */
const FIXES: readonly (readonly [from: string, to: string])[] = [
  ["https://notes.example/v1/ ", "https://notes.example/v1 "],
  ["in: Path", "in: path"],
  ["            summary: >-", "            operationId: getNotesNoteId\n            summary: >-"],
  ['"#/components/schemas/Not"', '"#/components/schemas/Note"'],
  ["aditionalProperties", "additionalProperties"],
  ['"maxlength"', '"maxLength"'],
];
const FIXED = FIXES.reduce((text, [from, to]) => text.replace(from, to), CONTRACT);

const read = (folder: string, name: string) => readFileSync(join(folder, name), "utf8");

describe("tenon lint --fix", () => {
  test("changes only the text of each fix, and prints its line", async () => {
    const folder = createProject({ "redocly.yaml": REDOCLY, "openapi.yaml": CONTRACT });
    const { exitCode, stdout } = await runIn(folder, "lint", "--fix");
    expect(read(folder, "openapi.yaml")).toBe(FIXED);
    const lines = stdout.split("\n");
    expect(lines.filter((line) => line.includes("fixed:")).sort()).toEqual([
      'openapi.yaml:11  struct  fixed: in is now "path"',
      "openapi.yaml:15  operation-operationId  fixed: added operationId: getNotesNoteId",
      'openapi.yaml:24  reference-unresolved  fixed: $ref is now "#/components/schemas/Note"',
      "openapi.yaml:29  tenon/schema-keyword-known  fixed: aditionalProperties is now additionalProperties",
      "openapi.yaml:31  tenon/schema-keyword-known  fixed: maxlength is now maxLength",
      'openapi.yaml:6  no-server-trailing-slash  fixed: url is now "https://notes.example/v1"',
    ]);
    expect(lines).toContain("6 problems fixed, 0 errors, 0 warnings");
    expect(exitCode).toBe(0);
  });

  test("changes nothing the second time", async () => {
    const folder = createProject({ "redocly.yaml": REDOCLY, "openapi.yaml": FIXED });
    const { exitCode, stdout } = await runIn(folder, "lint", "--fix");
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "0 problems fixed, 0 errors, 0 warnings\n" });
    expect(read(folder, "openapi.yaml")).toBe(FIXED);
  });

  test("keeps line ends, tabs and the form of JSON", async () => {
    const text = [
      "{",
      '\t"openapi": "3.1.0",',
      '\t"info": {"title":"Notes",  "version":"1.0.0"},',
      '\t"paths": {',
      '\t\t"/notes": {',
      '\t\t\t"post": {',
      '\t\t\t\t"responses": {"204": {"description":"Done."}}',
      "\t\t\t},",
      '\t\t\t"get": {"Summary":"List", "responses": {"204": {"description":"Done."}}}',
      "\t\t}",
      "\t}",
      "}",
      "",
    ].join("\r\n");
    const folder = createProject({
      "redocly.yaml": REDOCLY.replace("openapi.yaml", "openapi.json"),
      "openapi.json": text,
    });
    expect((await runIn(folder, "lint", "--fix")).exitCode).toBe(0);
    expect(read(folder, "openapi.json")).toBe(
      text
        .replace('\t\t\t\t"responses"', '\t\t\t\t"operationId": "postNotes",\r\n\t\t\t\t"responses"')
        .replace('{"Summary"', '{"operationId": "getNotes", "summary"'),
    );
  });

  test("fixes the other files of a contract, and reports them in JSON", async () => {
    const item = "get:\n  responses: { '204': { description: Done. } } # Done.\n";
    const folder = createProject({
      "redocly.yaml": REDOCLY,
      "openapi.yaml":
        "openapi: 3.1.0\ninfo: { title: Notes, version: 1.0.0 }\npaths:\n  /notes: { $ref: paths/note.yaml }\n",
      "paths/notes.yaml": item,
    });
    const { exitCode, stdout } = await runIn(folder, "lint", "--fix", "--json");
    expect(read(folder, "paths/notes.yaml")).toBe(
      item.replace("  responses", "  operationId: getNotes\n  responses"),
    );
    expect(read(folder, "openapi.yaml")).toContain("paths/notes.yaml");
    expect(JSON.parse(stdout)).toMatchObject({
      errors: 0,
      fixed: [
        { file: "openapi.yaml", line: 4, code: "reference-unresolved", fix: { text: "paths/notes.yaml" } },
        { file: "paths/notes.yaml", line: 2, code: "operation-operationId" },
      ],
      problems: [],
    });
    expect(exitCode).toBe(0);
  });

  const operation = 'operationId: listNotes\n      responses: { "204": { description: Done. } }\n';
  const toContract = (schemas: string, below = "") =>
    `openapi: 3.1.0\ninfo: { title: Notes, version: 1.0.0 }\npaths:\n  /notes:\n    get:\n      ${operation}${below}components:\n  schemas:\n${schemas}`;

  test.each([
    [
      "two names are as similar",
      toContract("    A: { type: object, maxItms: 1, minItms: 1, mxItems: 2 }\n").replace(
        "maxItms: 1, minItms: 1, mxItems",
        "xItems",
      ),
    ],
    ["the right name is there already", toContract("    A: { type: string, maxlength: 1, maxLength: 2 }\n")],
    ["another keyword replaces it in another form", toContract("    A: { type: string, nullable: true }\n")],
    [
      "two components are as similar",
      toContract(
        '    Not1: { type: string }\n    Not2: { type: string }\n    A: { $ref: "#/components/schemas/Not3" }\n',
      ),
    ],
    [
      "the name of the operation would have a number",
      toContract("    A: { type: string }\n").replace(
        "paths:\n",
        'paths:\n  /other:\n    get:\n      operationId: getNotesId\n      responses: { "204": { description: Done. } }\n  /notes/{id}:\n    get:\n      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]\n      responses: { "204": { description: Done. } }\n',
      ),
    ],
    [
      "an alias leads there",
      toContract(
        "    A: &a { type: string, x-b: { type: string, maxlength: 1 } }\n    B: { allOf: [*a] }\n",
      ).replace("x-b: { type: string, maxlength: 1 }", "maxLength: 1"),
    ],
  ])("leaves a problem as it is if %s", async (_, contract) => {
    const folder = createProject({ "redocly.yaml": REDOCLY, "openapi.yaml": contract });
    const before = await runIn(folder, "lint");
    const after = await runIn(folder, "lint", "--fix");
    expect(read(folder, "openapi.yaml")).toBe(contract);
    expect(after.stdout).toBe(before.stdout.replace(/(?=^\d+ errors?, )/m, "0 problems fixed, "));
  });

  test("writes nothing outside the project, not even through a link", async () => {
    const shared = "type: object\nmaxlenght: 9\n";
    const other = createProject({ "shared.yaml": shared });
    const folder = createProject({
      "redocly.yaml": REDOCLY,
      "openapi.yaml": toContract("    A: { $ref: shared.yaml }\n"),
    });
    symlinkSync(join(other, "shared.yaml"), join(folder, "shared.yaml"));
    const { exitCode, stdout } = await runIn(folder, "lint", "--fix");
    expect(exitCode).toBe(1);
    expect(stdout).not.toContain("fixed:");
    expect(read(other, "shared.yaml")).toBe(shared);
  });

  test("writes no file that its owner may not write", async () => {
    const contract = toContract("    A: { type: string, maxlength: 1 }\n");
    const folder = createProject({ "redocly.yaml": REDOCLY });
    writeFileSync(join(folder, "openapi.yaml"), contract, { mode: 0o444 });
    const { exitCode, stderr } = await runIn(folder, "lint", "--fix");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("Cannot write openapi.yaml");
    expect(read(folder, "openapi.yaml")).toBe(contract);
  });
});
