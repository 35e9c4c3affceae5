import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { runIn } from "../commands/run.js";
import { createProject, REDOCLY, toContract } from "./project.js";

/** The lines that `tenon lint` prints of a project, without its summary. */
async function lint(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { stdout } = await runIn(createProject(files), "lint");
  return stdout.split("\n").slice(0, -2);
}

const toDocument = (reference: string) =>
  toContract(
    `paths: {}\ncomponents:\n  schemas:\n    Pet: { properties: { name: {} } }\n    A: { $ref: ${JSON.stringify(reference)} }\n`,
  );

describe("a document that is none", () => {
  test.each([
    [
      'swagger: "2.0"\npaths: {}\n',
      "1:1  document-version  error: The document must be OpenAPI 3.0, 3.1 or 3.2, found Swagger 2.0. Convert it first, for example with swagger2openapi or at https://converter.swagger.io",
    ],
    ["", "1:1  document-version  error: The document must be OpenAPI 3.0, 3.1 or 3.2, found an empty file"],
    ["- a\n", "1:1  document-version  error: The document must be OpenAPI 3.0, 3.1 or 3.2, found no object"],
    [
      "paths: {}\n",
      "1:1  document-version  error: The document must be OpenAPI 3.0, 3.1 or 3.2, found no `openapi`",
    ],
    [
      "openapi: 3.1\n",
      '1:1  document-version  error: The document must be OpenAPI 3.0, 3.1 or 3.2, found "openapi: 3.1"; write it in quotes, with all three parts',
    ],
    ["swagger: 2.0\n", expect.stringContaining("found Swagger 2.0.")],
    ["openapi: 3.3.0\n", expect.stringMatching(/found "openapi: 3.3.0"$/)],
    [
      "openapi: 3.1.0\nx-a: &a\n  b: *a\n",
      "3:3  document-syntax  error: A YAML alias must not be inside its own anchor",
    ],
    ["openapi: 3.1.0\nopenapi: 3.1.0\n", "2:1  document-syntax  error: duplicated mapping key"],
    ["openapi: 3.1.0\n\tpaths: {}\n", expect.stringMatching(/^2:1 {2}document-syntax {2}error: [^/]*$/)],
  ])("%j", async (contract, want) => {
    const [told, ...others] = await lint({ "openapi.yaml": contract });
    expect(others).toEqual([]);
    expect(told?.replace("openapi.yaml:", "")).toEqual(want);
  });

  test("a folder, and a file that is not there", async () => {
    const folder = createProject({});
    const place = 'redocly.yaml:3:11  document-unreadable  error: Cannot read "openapi.yaml": ';
    expect((await runIn(folder, "lint")).stdout).toContain(`${place}there is no such file\n`);
    mkdirSync(join(folder, "openapi.yaml"));
    expect((await runIn(folder, "lint")).stdout).toContain(`${place}it is a folder\n`);
  });
});

describe("a problem that follows from another is left out", () => {
  test("of references to a file with a syntax error", async () => {
    const told = await lint({
      "openapi.yaml": toDocument("parts/a.yaml").replace("{ name: {} }", "{ name: { $ref: parts/z.yaml } }"),
      "parts/a.yaml": "properties: { z: { $ref: z.yaml } }\n",
      "parts/z.yaml": "a: [\n",
    });
    expect(told).toEqual([expect.stringMatching(/^parts\/z\.yaml:2:1 {2}document-syntax {2}error: /)]);
  });

  test("of references to a reference that leads nowhere", async () => {
    const told = await lint({
      "openapi.yaml": toDocument("parts/index.yaml#/Pet").replace(
        "{ name: {} }",
        "{ a: { $ref: parts/b.yaml } }",
      ),
      "parts/index.yaml": "Pet: { $ref: ./pets.yaml }\n",
      "parts/b.yaml": "$ref: pets.yaml\n",
      "parts/pet.yaml": "type: object\n",
    });
    expect(told).toEqual([
      'parts/b.yaml:1:1  reference-unresolved  error: Cannot resolve $ref "pets.yaml": there is no such file. Did you mean pet.yaml?',
      'parts/index.yaml:1:6  reference-unresolved  error: Cannot resolve $ref "./pets.yaml": there is no such file. Did you mean ./pet.yaml?',
    ]);
  });
});

describe("a reference that leads nowhere", () => {
  test.each([
    ["#/components/schemas/Pett", ". Did you mean #/components/schemas/Pet?"],
    ["#/components/schema/Pet", ". Did you mean #/components/schemas/Pet?"],
    ["#/components/schemas/Pet/properties/nane", ". Did you mean #/components/schemas/Pet/properties/name?"],
    ["#/nothing/like/it", ""],
    ["Pet", ": there is no such file. Did you mean #/components/schemas/Pet?"],
    ["othr.yaml", ": there is no such file. Did you mean other.yaml?"],
    ["./sub/none.yaml#/A", ": there is no such file"],
    ["other.yaml#/Pett", ". Did you mean other.yaml#/Pet?"],
    ["http://127.0.0.1:1/pet.yaml", expect.stringMatching(/^: fetch failed/)],
  ])("%s", async (reference, want) => {
    const told = await lint({
      "redocly.yaml": REDOCLY.replace("generated }", 'generated, referenceHosts: ["127.0.0.1:1"] }'),
      "openapi.yaml": toDocument(reference),
      "other.yaml": "Pet: {}\n",
    });
    const start = `openapi.yaml:9:8  reference-unresolved  error: Cannot resolve $ref ${JSON.stringify(reference)}`;
    const line = told.find((found) => found.startsWith("openapi.yaml"));
    expect(line?.startsWith(start)).toBe(true);
    expect(line?.slice(start.length)).toEqual(want);
  });
});

describe("the file of an example", () => {
  const lintExample = (externalValue: string) =>
    lint({
      "openapi.yaml": toContract(
        `paths: {}\ncomponents:\n  examples:\n    A: { externalValue: ${externalValue} }\n`,
      ),
      "examples/pet.json": '{ "id": 1 }\n',
      "examples/pet.csv": 'id,name\n1,"a: b"\n',
      "examples/broken.json": "{\n",
    });

  test.each(["examples/pet.json", "examples/pet.csv"])("%s is read", async (file) => {
    expect(await lintExample(file)).toEqual([]);
  });

  test.each([
    ["examples/pets.json", ": there is no such file. Did you mean examples/pet.json?"],
    ["examples", ": it is a folder"],
    ["../pet.json", ": the file is outside the project folder"],
  ])("%s is reported where the contract names it", async (file, reason) => {
    const code = file.startsWith("..") ? "reference-forbidden" : "reference-unresolved";
    const found = `openapi.yaml:8:8  ${code}  error: Cannot resolve externalValue "${file}"${reason}`;
    expect(await lintExample(file)).toContain(found);
  });

  test("a syntax error in it is reported in the file itself", async () => {
    expect(await lintExample("examples/broken.json")).toEqual([
      expect.stringMatching(/^examples\/broken\.json:2:1 {2}document-syntax {2}error: /),
    ]);
  });
});

test("what has no value is told where its key is", async () => {
  const told = await lint({ "openapi.yaml": toContract("paths:\n  /a: { get: }\n") });
  expect(told).toEqual([expect.stringMatching(/^openapi.yaml:6:9 {2}struct /)]);
});

test("a value of an enum is suggested nowhere: it is in the message", async () => {
  const contract = toContract("paths: {}\ncomponents: { schemas: { A: { enum: [null, a], example: b } } }\n");
  const redocly = `${REDOCLY}  no-invalid-schema-examples: error\n`;
  expect(await lint({ "openapi.yaml": contract, "redocly.yaml": redocly })).toEqual([
    'openapi.yaml:6:57  no-invalid-schema-examples  error: Example value must conform to the schema: must be equal to one of the allowed values "null", "a".',
  ]);
});
