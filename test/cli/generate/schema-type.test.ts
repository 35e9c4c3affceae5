import { expect, test } from "@jest/globals";
import { emitServer } from "../../../src/cli/generate/server/server.js";
import { emitDeclaration } from "../../../src/cli/generate/server/schema-type.js";
import type { View } from "../../../src/cli/generate/server/views.js";
import type { Node } from "../../../src/tenon/core/document/index.js";
import { toContract, toOperationContract, toTypeContext } from "./contract.js";
import { testEmit } from "./given-want.js";

/** Schemas beside the one called A that is emitted. */
const OTHERS = {
  Base: { type: "object", required: ["a"], properties: { a: { type: "string" }, b: { type: "number" } } },
  Name: { type: "string" },
  Split: { type: "object", required: ["id"], properties: { id: { readOnly: true }, b: { default: 1 } } },
};

function emitA(view: View, openapi = "3.1.0") {
  return (schema: Node): string => {
    const contract = toContract({ openapi, components: { schemas: { A: schema, ...OTHERS } } });
    const [a] = contract.schemas;
    if (a === undefined) throw new Error("A was not built");
    return emitDeclaration(a, { ...toTypeContext(contract), view });
  };
}

const BASE = { $ref: "#/components/schemas/Base" };
const NAME = { $ref: "#/components/schemas/Name" };
const SPLIT = { $ref: "#/components/schemas/Split" };

testEmit("emitDeclaration", emitA("response"), [
  ["anything", {}, "export type A = unknown;\n"],
  ["a string", { type: "string", format: "date", maxLength: 1 }, "export type A = string;\n"],
  ["numbers are one type", { type: ["integer", "number"] }, "export type A = number;\n"],
  ["null alone", { type: "null" }, "export type A = null;\n"],
  ["a nullable string", { type: ["string", "null"] }, "export type A = string | null;\n"],
  ["an enum", { type: "string", enum: ["a", 'b"'] }, 'export type A = "a" | "b\\"";\n'],
  ["an enum of several types", { enum: [1, true, null, "a"] }, 'export type A = 1 | true | "a" | null;\n'],
  ["an enum of objects", { enum: [{ a: 1 }] }, "export type A = unknown;\n"],
  ["a constant", { const: "a" }, 'export type A = "a";\n'],
  ["a reference", NAME, "export type A = Name;\n"],
  ["an array", { type: "array", items: NAME }, "export type A = readonly Name[];\n"],
  [
    "an array of a union",
    { type: "array", items: { type: ["string", "null"] } },
    "export type A = readonly (string | null)[];\n",
  ],
  ["an array of anything", { type: "array" }, "export type A = readonly unknown[];\n"],
  [
    "a tuple",
    { type: "array", prefixItems: [NAME, { type: "number" }], minItems: 2, items: false },
    "export type A = readonly [Name, number];\n",
  ],
  ["an open tuple", { prefixItems: [NAME], minItems: 1 }, "export type A = readonly [Name, ...unknown[]];\n"],
  [
    "a tuple with optional places",
    { prefixItems: [NAME, { type: "number" }], items: { type: "null" } },
    "export type A = readonly (Name | number | null)[];\n",
  ],
  ["an object of anything", { type: "object" }, "export interface A {\n  [key: string]: unknown;\n}\n"],
  [
    "an object of numbers",
    { additionalProperties: { type: "number" } },
    "export interface A {\n  [key: string]: number;\n}\n",
  ],
  [
    "an empty object",
    { type: "object", additionalProperties: false },
    "export interface A {\n  [key: string]: never;\n}\n",
  ],
  [
    "an open object",
    { properties: { a: { type: "string" } }, additionalProperties: { type: "number" } },
    "export interface A {\n  a?: string;\n  [key: string]: unknown;\n}\n",
  ],
  [
    "descriptions and deprecations",
    {
      type: "object",
      description: "An A.",
      deprecated: true,
      required: ["b-c"],
      properties: { "b-c": { type: "string", description: "A b-c." }, d: { deprecated: true } },
    },
    '/**\n * An A.\n * @deprecated\n */\nexport interface A {\n  /** A b-c. */\n  "b-c": string;\n  /** @deprecated */\n  d?: unknown;\n}\n',
  ],
  [
    "lifecycles",
    {
      type: "object",
      "x-stability-level": "beta",
      properties: {
        a: {
          type: "string",
          deprecated: true,
          "x-deprecated-since": "2026-11-21",
          "x-sunset": "2030-12-05T10:00:00Z",
          "x-replaced-by": "*/ b\n@ts-ignore",
          "x-stability-level": "alpha",
        },
        c: { type: "string", "x-stability-level": "stable" },
      },
    },
    "/** Stability: beta. */\nexport interface A {\n  /**\n   * Stability: alpha.\n   * @deprecated Since 2026-11-21. Removed on 2030-12-05T10:00:00Z. Use *\\/ b \\@ts-ignore.\n   */\n  a?: string;\n  c?: string;\n}\n",
  ],
  [
    "an object in an object",
    { properties: { a: { properties: { b: NAME } } } },
    "export interface A {\n  a?: {\n    b?: Name;\n  };\n}\n",
  ],
  [
    "a circle",
    { properties: { a: { $ref: "#/components/schemas/A" } } },
    "export interface A {\n  a?: A;\n}\n",
  ],
  ["allOf of one", { allOf: [NAME] }, "export type A = Name;\n"],
  [
    "allOf of interfaces",
    { allOf: [BASE, { properties: { c: NAME } }] },
    "export interface A extends Base {\n  c?: Name;\n}\n",
  ],
  [
    "allOf that declares a property again",
    { allOf: [BASE, { properties: { a: { const: "x" } } }] },
    'export type A = Base & {\n  a?: "x";\n};\n',
  ],
  [
    "allOf of what is no interface",
    { allOf: [NAME, { type: "object", properties: { a: NAME } }] },
    "export type A = Name & {\n  a?: Name;\n};\n",
  ],
  [
    "required properties of another part",
    { allOf: [BASE], required: ["b"] },
    "export type A = Base & {\n  b: {} | null;\n};\n",
  ],
  ["oneOf", { oneOf: [NAME, { type: "number" }] }, "export type A = Name | number;\n"],
  [
    "anyOf of the same types",
    { anyOf: [{ type: "string" }, { type: "string" }] },
    "export type A = string;\n",
  ],
  ["a oneOf that is an object", { type: "object", oneOf: [BASE, SPLIT] }, "export type A = Base | Split;\n"],
  ["allOf beside oneOf", { allOf: [BASE], oneOf: [NAME, SPLIT] }, "export type A = Base & (Name | Split);\n"],
  [
    "a discriminator whose values are the names",
    { oneOf: [BASE, SPLIT], discriminator: { propertyName: "kind" } },
    'export type A =\n  | (Base & {\n      kind: "Base";\n    })\n  | (Split & {\n      kind: "Split";\n    });\n',
  ],
  [
    "a discriminator by bare name",
    { anyOf: [BASE], discriminator: { propertyName: "kind", mapping: { x: "Base", y: "Base" } } },
    'export type A = Base & {\n  kind: "x" | "y";\n};\n',
  ],
  [
    "a discriminator of what has no name",
    { oneOf: [BASE, { type: "number" }], discriminator: { propertyName: "kind" } },
    "export type A = Base | number;\n",
  ],
  [
    "patterns of properties",
    { type: "object", patternProperties: { "^x-": NAME }, additionalProperties: false },
    "export interface A {\n  [key: string]: Name;\n}\n",
  ],
  [
    "patterns of properties beside others",
    { type: "object", properties: { a: NAME }, patternProperties: { "^x-": { type: "number" } } },
    "export interface A {\n  a?: Name;\n  [key: string]: unknown;\n}\n",
  ],
  [
    "unevaluatedProperties where nothing else could evaluate",
    { type: "object", unevaluatedProperties: { type: "number" } },
    "export interface A {\n  [key: string]: number;\n}\n",
  ],
  [
    "a property that every object inherits",
    { type: "object", required: ["valueOf"], properties: { toString: NAME, valueOf: NAME } },
    'export interface A {\n  toString?: Name | Object["toString"];\n  valueOf: Name;\n}\n',
  ],
  [
    "conditions, which types cannot say",
    {
      type: "object",
      properties: { a: NAME },
      if: { required: ["a"] },
      then: false,
      not: { required: ["b"] },
    },
    "export interface A {\n  a?: Name;\n}\n",
  ],
  [
    "a reference with siblings",
    { $ref: BASE.$ref, required: ["b"] },
    "export type A = Base & {\n  b: {} | null;\n};\n",
  ],
  [
    "a union that is too long for a line",
    { enum: ["a", "b", "c"].map((letter) => letter.repeat(30)) },
    `export type A =\n  | "${"a".repeat(30)}"\n  | "${"b".repeat(30)}"\n  | "${"c".repeat(30)}";\n`,
  ],
]);

testEmit("emitDeclaration in OpenAPI 3.0", emitA("response", "3.0.3"), [
  ["nullable", { type: "string", nullable: true }, "export type A = string | null;\n"],
  ["nullable without a type", { nullable: true, enum: ["a"] }, 'export type A = "a" | null;\n'],
  ["nullable beside a reference is ignored", { nullable: true, $ref: NAME.$ref }, "export type A = Name;\n"],
  ["nullable around a reference", { nullable: true, allOf: [NAME] }, "export type A = Name | null;\n"],
]);

const VIEWED = {
  type: "object",
  required: ["id", "secret"],
  properties: {
    id: { type: "string", readOnly: true },
    secret: { type: "string", writeOnly: true },
    size: { type: "string", default: "m" },
  },
};

testEmit("emitDeclaration of a request", emitA("request"), [
  [
    "has defaults and no readOnly",
    VIEWED,
    "export interface ARequest {\n  secret: string;\n  size: string;\n}\n",
  ],
  [
    "refers to the request view",
    { type: "array", items: SPLIT },
    "export type ARequest = readonly SplitRequest[];\n",
  ],
  [
    "extends the request view",
    { allOf: [SPLIT, { properties: { c: NAME } }] },
    "export interface ARequest extends SplitRequest {\n  c?: Name;\n}\n",
  ],
  ["is the only one where nothing differs", BASE, "export type A = Base;\n"],
  [
    "has no defaults in oneOf, where the validator applies none",
    { oneOf: [SPLIT, { properties: { a: { default: 1 } } }] },
    "export type ARequest =\n  | SplitRequest\n  | {\n      a?: unknown;\n    };\n",
  ],
  [
    "does not require what it does not have",
    { allOf: [SPLIT], required: ["id", "b"] },
    "export type ARequest = SplitRequest & {\n  b: {} | null;\n};\n",
  ],
]);

testEmit("emitDeclaration of a response", emitA("response"), [
  [
    "has no writeOnly, and defaults change nothing",
    VIEWED,
    "export interface A {\n  id: string;\n  size?: string;\n}\n",
  ],
  [
    "is not split by a default in oneOf",
    { oneOf: [{ properties: { a: { default: 1 } } }] },
    "export type A = {\n  a?: unknown;\n};\n",
  ],
]);

test.each([false, true])(
  "types of requests are only emitted where requests use them (a file per tag: %s)",
  (split) => {
    const toContent = (name: string) => ({
      content: { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } },
    });
    const stored = { properties: { id: { readOnly: true } } };
    const contract = toOperationContract(
      { requestBody: toContent("Box"), responses: { "200": { description: "", ...toContent("Page") } } },
      {
        Page: { type: "array", items: { $ref: "#/components/schemas/Part" } },
        Part: stored,
        Item: stored,
        Box: { type: "array", items: { $ref: "#/components/schemas/Item" } },
        // A name that only an unused type would take.
        PartRequest: { type: "string" },
      },
    );
    const { files, renamed } = emitServer(contract, { source: "openapi.yaml", split });
    const text = [...files.values()].join("");
    const declared = [...text.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name);
    expect(declared).toEqual(
      expect.arrayContaining(["Page", "Part", "PartRequest", "Item", "ItemRequest", "BoxRequest"]),
    );
    expect(declared).not.toContain("PageRequest");
    expect(declared).not.toContain("PartRequest_");
    expect(renamed).toEqual([]);
  },
);
