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
  ["a string becomes a list in a header", "header", text, list, "safe", "safe"],
  [
    "integers of a list become strings",
    "header",
    { type: "array", items: integer },
    list,
    "safe",
    "breaking",
  ],
  [
    "integers of an object become strings",
    "query",
    { type: "object", properties: { a: integer } },
    { type: "object", properties: { a: text } },
    "safe",
    "breaking",
  ],
];

function toBody(mediaType: string, schema: Schema, encoding?: object): Node {
  const requestBody = { content: { [mediaType]: { schema, ...(encoding && { encoding }) } } };
  return { ...toContract({}), paths: { "/a": { post: { requestBody, responses: {} } } } };
}

const FORM = "application/x-www-form-urlencoded";
const toField = (field: Schema): Schema => ({ type: "object", properties: { a: field } });

describe("bodies are compared as texts where they are texts", () => {
  test.each<readonly [string, Schema, Schema, Level, Level]>([
    [FORM, toField(integer), toField(text), "safe", "breaking"],
    ["multipart/form-data", toField(integer), toField(text), "safe", "breaking"],
    [FORM, toField(text), toField(list), "safe", "breaking"],
    [FORM, toField({ type: "array", items: integer }), toField(list), "safe", "breaking"],
    [FORM, toField(toField(integer)), toField(toField(text)), "breaking", "breaking"],
    ["text/plain", integer, text, "safe", "breaking"],
    ["application/json", integer, text, "breaking", "breaking"],
    ["application/json", toField(integer), toField(text), "breaking", "breaking"],
  ])("%s: %j becomes %j", async (mediaType, before, after, forth, back) => {
    const [base, revision] = [toBody(mediaType, before), toBody(mediaType, after)];
    expect(worst(await listChanges(base, revision))).toBe(forth);
    expect(worst(await listChanges(revision, base))).toBe(back);
  });

  test("a part that is JSON is none", async () => {
    const encoding = { a: { contentType: "application/json" } };
    const [base, revision] = [integer, text].map((schema) =>
      toBody("multipart/form-data", toField(schema), encoding),
    );
    expect(base && revision && (await listChanges(base, revision))).toEqual([
      "breaking request-type-changed",
    ]);
  });
});

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
