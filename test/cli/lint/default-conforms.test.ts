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

const TYPE = "OpenAPI 3.0 requires `default` to have the type of its schema: expected integer, found string";

describe("default-conforms", () => {
  test.each([
    ["parameter", [`error ${TYPE}`]],
    ["body", [`error ${TYPE}`]],
    ["response", []],
  ])("a default of another type in a %s of OpenAPI 3.0", async (place, want) => {
    expect(await find(toDocument(place, "{ type: integer, default: ten }", "3.0.3"))).toEqual(want);
    expect(await find(toDocument(place, "{ type: integer, default: ten }", "3.1.0"))).toEqual([]);
  });

  test("reports the position of the default", async () => {
    const source = toDocument("parameter", "{ type: integer, default: ten }", "3.0.3");
    expect(await problemsOf(source, { rule: RULE })).toEqual([`9:39 warn ${TYPE}`]);
  });

  test("a default that a request gets through a reference is an error, wherever its schema stands", async () => {
    const component = "components:\n  schemas:\n    Limit: { type: integer, default: ten }\n";
    const document = toDocument("body", '{ $ref: "#/components/schemas/Limit" }', "3.0.3");
    const [head = "", ...rest] = document.split("\n");
    expect(await find([head, component + rest.join("\n")].join("\n"))).toEqual([`error ${TYPE}`]);
  });

  test.each([
    ["{ type: integer, nullable: true, default: null }", []],
    ["{ enum: [1], nullable: true, default: null }", []],
    ["{ type: integer, default: null }", [`error ${TYPE.replace("found string", "found null")}`]],
    ["{ type: number, default: 1 }", []],
    ["{ type: integer, minimum: 2, default: 1 }", []],
    ["{ type: string, enum: [a], default: b }", []],
  ])("%s", async (schema, want) => {
    expect(await find(toDocument("body", schema, "3.0.3"))).toEqual(want);
  });
});
