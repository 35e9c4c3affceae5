import { describe, expect, test } from "@jest/globals";
import { findElements, toText } from "../../support/html-text.js";
import { renderPart } from "./rendered.js";

/** The text of a schema's section, without its name and its example. */
function readSchema(schema: object, others: object = {}): string {
  const part = renderPart({ components: { schemas: { Thing: schema, ...others } } }, "schema/Thing");
  const [about = ""] = findElements(part, /class="about"/);
  return toText(about)
    .replaceAll(/\s+/g, " ")
    .replace(/^Thing# ?/, "")
    .trim();
}

describe("the section of a schema says", () => {
  const text = { type: "string" };
  test.each([
    [
      "what only requests or only responses have",
      { properties: { id: { ...text, readOnly: true }, password: { ...text, writeOnly: true } } },
      "id string read-only password string write-only",
    ],
    [
      "that there are no other members",
      { type: "object", additionalProperties: false },
      "object no other members",
    ],
    [
      "which names match a pattern",
      { type: "object", patternProperties: { "^x-": { type: "integer" } } },
      "object names like ^x- integer",
    ],
    [
      "what its names are like",
      { type: "object", propertyNames: { maxLength: 3 } },
      "object Each name: at most 3 characters",
    ],
    [
      "what items are by position",
      { type: "array", prefixItems: [text, {}], items: false },
      "array no other items item 1 string item 2 anything",
    ],
    [
      "what an item is",
      { type: "array", contains: { const: 5 } },
      "array Of the items, at least 1: integer Always 5",
    ],
    [
      "which members another one needs",
      { type: "object", dependentRequired: { card: ["name", "city"] } },
      "object card needs name, city",
    ],
    ["what it needs and does not name", { type: "object", required: ["a", "b"] }, "object needs a, b"],
    [
      "which of several members it needs",
      { type: "object", anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      /needs a.* needs b/,
    ],
    [
      "what comes with a member",
      { type: "object", dependentSchemas: { card: { properties: { cvc: text } } } },
      "object With card: cvc string",
    ],
    ["what it is not", { type: "string", not: { pattern: "^a" } }, "string Not: matches ^a"],
    [
      "what depends on a condition",
      {
        type: "object",
        if: { properties: { kind: { const: "card" } } },
        then: { required: ["number"] },
        else: { required: ["iban"] },
      },
      /^object If kind is card.*needs number.*Otherwise.*needs iban/,
    ],
    [
      "what it is one of, whatever the titles are",
      {
        oneOf: [
          { title: "First", type: "string" },
          { title: "Otherwise", type: "integer" },
        ],
      },
      /^one of First, Otherwise/,
    ],
  ] as const)("%s", (_, schema, expected) => {
    const said = readSchema(schema);
    if (typeof expected === "string") expect(said).toBe(expected);
    else expect(said).toMatch(expected);
  });

  test("an example beside it, if it has parts", () => {
    const render = (schema: object) =>
      renderPart({ components: { schemas: { Thing: schema } } }, "schema/Thing");
    expect(render({ properties: { a: { const: 5 } }, required: ["a"] })).toMatch(
      /class="beside"[^]*hljs-attr">&quot;a&quot;[^]*>5</,
    );
    expect(render({ type: "string" })).not.toContain('class="beside"');
  });

  test("what a circle of its rules is, and ends", () => {
    const link = { $ref: "#/components/schemas/Thing" };
    expect(
      readSchema({ type: "object", not: link, propertyNames: link, patternProperties: { a: link } }),
    ).toMatch(/^object/);
  });
});
