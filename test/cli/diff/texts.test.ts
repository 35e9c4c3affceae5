import { describe, expect, test } from "@jest/globals";
import type { Node } from "../../../src/tenon/core/document/index.js";
import { listChanges, toContract } from "./pair.js";

type Schema = Readonly<Record<string, unknown>>;
type Level = "breaking" | "risky" | "safe";

const text = { type: "string" };
const integer = { type: "integer" };
const list = { type: "array", items: text };

function toService(location: string, schema: Schema, more: object = {}): Node {
  const parameter = { name: "X-A", in: location, schema, ...more };
  return { ...toContract({}), paths: { "/a": { get: { parameters: [parameter], responses: {} } } } };
}

function toHeader(schema: Schema): Node {
  const response = { description: "Done.", headers: { "X-A": { required: true, schema } } };
  return { ...toContract({}), paths: { "/a": { get: { responses: { "200": response } } } } };
}

function worst(changes: readonly string[]): string {
  return changes.map((change) => change.split(" ")[0] ?? "").sort()[0] ?? "";
}

const parameters: readonly (readonly [string, string, Schema, Schema, Level, Level])[] = [
  ["an integer becomes a string", "query", integer, text, "safe", "breaking"],
  ["a boolean becomes a string", "header", { type: "boolean" }, text, "safe", "breaking"],
  [
    "a listed integer becomes a listed string",
    "query",
    { enum: [1, 2] },
    { enum: ["1", "2", "3"] },
    "safe",
    "breaking",
  ],
  [
    "an integer becomes a limited string",
    "query",
    integer,
    { ...text, maxLength: 3 },
    "breaking",
    "breaking",
  ],
  ["an integer or a string becomes a string", "query", { type: ["integer", "string"] }, text, "safe", "safe"],
  ["a string becomes an exploded list", "query", text, list, "safe", "breaking"],
  [
    "an integer becomes an exploded list of integers",
    "query",
    integer,
    { ...list, items: integer },
    "safe",
    "breaking",
  ],
  ["an integer becomes an exploded list of strings", "query", integer, list, "safe", "breaking"],
  [
    "a string becomes an exploded list of short strings",
    "query",
    text,
    { ...list, items: { ...text, maxLength: 2 } },
    "breaking",
    "breaking",
  ],
  [
    "a string becomes a list of at least two",
    "query",
    text,
    { ...list, minItems: 2 },
    "breaking",
    "breaking",
  ],
  ["a string becomes a list in a header", "header", text, list, "breaking", "breaking"],
];

describe("parameters are compared as texts", () => {
  test.each(parameters)("%s in the %s", async (_, location, before, after, forth, back) => {
    const [base, revision] = [toService(location, before), toService(location, after)];
    expect(worst(await listChanges(base, revision))).toBe(forth);
    expect(worst(await listChanges(revision, base))).toBe(back);
  });

  test("a default of a required parameter never applies", async () => {
    const toDefault = (value: number, required: boolean) =>
      toService("query", { ...integer, default: value }, { required });
    const compare = (required: boolean) => listChanges(toDefault(1, required), toDefault(2, required));
    expect(await compare(true)).toEqual(["safe request-default-changed"]);
    expect(await compare(false)).toEqual(["risky request-default-changed"]);
  });
});

test("a response header that becomes an integer is a tightening", async () => {
  expect(await listChanges(toHeader(text), toHeader(integer))).toEqual(["safe response-type-changed"]);
  expect(await listChanges(toHeader(integer), toHeader(text))).toEqual(["breaking response-type-changed"]);
});
