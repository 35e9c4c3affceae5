import { describe, expect, test } from "@jest/globals";
import { runIn } from "../commands/run.js";
import { createProject, REDOCLY, toContract } from "../load/project.js";
import { problemsOf } from "./problems-of.js";

const rule = "tenon/schema-keyword-known";

const toSchema = (schema: string) => toContract(`paths: {}\ncomponents:\n  schemas:\n    A: ${schema}\n`);

/** The lines that `tenon lint` prints of a contract, without its name and its summary. */
async function lint(contract: string, setting?: string): Promise<readonly string[]> {
  const redocly = setting === undefined ? REDOCLY : `${REDOCLY}  ${rule}: ${setting}\n`;
  const { stdout } = await runIn(
    createProject({ "redocly.yaml": redocly, "openapi.yaml": contract }),
    "lint",
  );
  return stdout
    .split("\n")
    .filter((line) => line.startsWith("openapi.yaml:"))
    .map((line) => line.replace("openapi.yaml:", ""));
}

const UNKNOWN = `8:10  ${rule}  warning: Unknown schema keyword \`myKeyword\` has no effect. Write \`x-myKeyword\`, or list it in the rule's option \`allow\`.`;

describe("an unknown keyword is an annotation in OpenAPI 3.1", () => {
  test("it is a warning", async () => {
    expect(await lint(toSchema("{ myKeyword: true }"))).toEqual([UNKNOWN]);
    expect(await lint(toSchema("{ myKeyword: { $ref: nowhere.yaml, type: 5 } }"))).toEqual([UNKNOWN]);
  });

  test("it is reported once", async () => {
    const schema = "{ myKeyword: 1, properties: { a: { myKeyword: 2 }, b: { items: { myKeyword: 3 } } } }";
    expect(await lint(toSchema(schema))).toEqual([UNKNOWN]);
  });

  test("code is generated, and the contract keeps it", async () => {
    const folder = createProject({ "openapi.yaml": toSchema("{ type: string, myKeyword: true }") });
    expect(await runIn(folder, "generate")).toMatchObject({ exitCode: 0 });
  });

  test.each(["{ x-my-keyword: true }", "{ $comment: a, $anchor: b }", "{ properties: { myKeyword: {} } }"])(
    "%s has none",
    async (schema) => {
      expect(await lint(toSchema(schema))).toEqual([]);
    },
  );
});

describe("a dialect other than that of OpenAPI", () => {
  const toDialect = (dialect: string) =>
    toSchema(`{ $schema: ${dialect} }\n    B: { $schema: ${dialect} }\njsonSchemaDialect: ${dialect}`);

  test("is reported at the document and at the first schema, because it is not applied", async () => {
    const draft7 = "http://json-schema.org/draft-07/schema#";
    const read = (key: string) =>
      `${rule}  warning: \`${key}\` "${draft7}" is not applied. Schemas are read as JSON Schema 2020-12 with OpenAPI's keywords.`;
    const found = await lint(toDialect(`"${draft7}"`));
    expect(found.toSorted()).toEqual([`10:20  ${read("jsonSchemaDialect")}`, `8:19  ${read("$schema")}`]);
    expect(await lint(toDialect(`"${draft7}"`), "{ allow: [$schema, jsonSchemaDialect] }")).toEqual([]);
  });

  test.each([
    "https://json-schema.org/draft/2020-12/schema",
    "https://spec.openapis.org/oas/3.1/dialect/base",
    "https://spec.openapis.org/oas/3.2/dialect/2025-09-17",
  ])("%s is not one", async (dialect) => {
    expect(await lint(toDialect(dialect))).toEqual([]);
  });
});

test("xml is reported once, because bodies of XML are text", async () => {
  const schema = toSchema("{ xml: { name: a }, properties: { b: { xml: { attribute: true } } } }");
  expect(await lint(schema)).toEqual([
    `8:15  ${rule}  warning: \`xml\` is not applied. Bodies of XML are text.`,
  ]);
  expect(await lint(schema, "{ allow: [xml] }")).toEqual([]);
});

test.each([
  ["minLenght", ". Did you mean minLength?"],
  ["require", ". Did you mean required?"],
  ["oneof", ". Did you mean oneOf?"],
  ["nullable", '. Did you mean type: [..., "null"]?'],
  ["additionalItems", ". Did you mean items beside prefixItems?"],
  ["dependencies", ". Did you mean dependentRequired or dependentSchemas?"],
])("%s is an error at each place", async (keyword, hint) => {
  const schema = `{ ${keyword}: 1, not: { ${keyword}: 1 } }`;
  const message = `${rule}  error: Unknown schema keyword \`${keyword}\` has no effect${hint}`;
  expect(await lint(toSchema(schema))).toEqual([
    `8:10  ${message}`,
    `8:${20 + keyword.length + 2}  ${message}`,
  ]);
});

test.each([
  ["off", []],
  ["warn", ["warning", "warning"]],
  ["error", ["error", "error"]],
  ["{ severity: warn, others: off }", ["warning"]],
  ["{ severity: error, others: warn }", ["error", "warning"]],
  ["{ severity: error, allow: [minLenght, myKeyword] }", []],
])("the rule can be set: %s", async (setting, severities) => {
  const lines = await lint(toSchema("{ minLenght: 1, myKeyword: 1 }"), setting);
  expect(lines.map((line) => /(?:error|warning)(?=:)/.exec(line)?.[0])).toEqual(severities);
});

test("in OpenAPI 3.0, whose schemas allow no other keywords, struct refuses it", async () => {
  const contract = toSchema("{ myKeyword: true }").replace("3.1.0", "3.0.3");
  expect(await lint(contract)).toEqual(["8:10  struct  error: Property `myKeyword` is not expected here."]);
  expect(await problemsOf(contract, { rule })).toEqual([]);
});
