import { describe, expect, test } from "@jest/globals";
import { problemsOf } from "./problems-of.js";

const RULE = "tenon/default-conforms";

/** A document with one schema in a parameter, a request body or a response. */
function toDocument(place: string, schema: string, version = "3.1.0"): string {
  const members = {
    parameter: `parameters:\n        - name: limit\n          in: query\n          schema:\n            ${schema}`,
    body: `requestBody:\n        content:\n          application/json: { schema:\n            ${schema} }`,
    response: `responses:\n        "200":\n          content: { text/plain: { schema:\n            ${schema} } }`,
  };
  return `openapi: ${version}\npaths:\n  /pets:\n    post:\n      ${members[place as keyof typeof members]}\n`;
}

/** Severity and message of each problem, with the rule as an error, as it is for every contract. */
async function find(source: string): Promise<string[]> {
  const found = await problemsOf(source, { rule: RULE, options: { severity: "error" } });
  return found.map((line) => line.replace(/^\S+ /, ""));
}

const TYPE = "Expected `default` to conform to its schema; type must be integer.";

describe("default-conforms", () => {
  test.each([
    ["parameter", `error ${TYPE}`],
    ["body", `error ${TYPE}`],
    ["response", `warn ${TYPE}`],
  ])("a wrong default in a %s: %s", async (place, want) => {
    expect(await find(toDocument(place, "{ type: integer, default: ten }"))).toEqual([want]);
  });

  test("reports the position of the default", async () => {
    expect(
      await problemsOf(toDocument("parameter", "{ type: integer, default: ten }"), { rule: RULE }),
    ).toEqual([`9:39 warn ${TYPE}`]);
  });

  test("a default that a request gets through a reference is an error, wherever its schema stands", async () => {
    const component = "components:\n  schemas:\n    Limit: { type: integer, default: ten }\n";
    const [head = "", ...rest] = toDocument("body", '{ $ref: "#/components/schemas/Limit" }').split("\n");
    expect(await find([head, component + rest.join("\n")].join("\n"))).toEqual([`error ${TYPE}`]);
  });

  test.each([
    ["3.0.3", "{ type: integer, nullable: true, default: null }", []],
    ["3.0.3", "{ enum: [1], nullable: true, default: null }", []],
    ["3.0.3", "{ type: integer, default: null }", [`error ${TYPE}`]],
    ["3.1.0", "{ type: [integer, 'null'], default: null }", []],
    ["3.1.0", "{ type: string, default: 2020-01-01 }", []],
    ["3.1.0", "{ type: object, properties: { a: {} }, default: { b: 1 } }", []],
    ["3.1.0", "{ type: string, readOnly: true, default: new }", []],
    // Of a schema that does not compile nothing is known.
    ["3.1.0", "{ type: string, pattern: '[', default: a }", []],
  ])("%s: %s", async (version, schema, want) => {
    expect(await find(toDocument("body", schema, version))).toEqual(want);
  });
});
