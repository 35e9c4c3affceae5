import { isSame } from "tenon/core/schema";
import type { SchemaView } from "../../values/index.js";
import type { TestCase } from "../messages/index.js";
import type { Validator } from "../validator.js";
import { findSites, replaceAt, type Site } from "./sites.js";

/** Last words of the names of properties that refer to something else. */
const REFERENCES = new Set("id ids uuid guid ref refs key keys token cursor code".split(" "));

/**
 * Tests whether the contract alone decides if a valid request is accepted. It does not where a value refers to something that has
 * to exist, or where a parameter may be any text and has no example: a cursor, a query language.
 */
export function isPredictable(
  { operation, shape, value, constraint, known }: TestCase,
  requests: SchemaView,
): boolean {
  for (const site of findSites(shape.schema, value, requests)) {
    if (!isOpaque(site) || isSame(site.path, known)) continue;
    // An example says nothing about a value at its limit.
    if (constraint !== undefined && isSame(constraint.path, site.path)) return false;
    const given = [...(site.schema.examples ?? []), site.schema.default];
    if (given.some((one) => isSame(one, site.value))) continue;
    const inPath = site.path[0] === "path" && operation.path.includes("{");
    // An unknown number gets 404; 400 for an integer is a finding.
    if (inPath && typeof site.value === "number") continue;
    return false;
  }
  return true;
}

/** Replaces values that the service may refuse for its own reasons by the author's examples, or removes them. */
export function makePredictable(testCase: TestCase, requests: Validator): TestCase {
  const { schema } = testCase.shape;
  let value: unknown = testCase.value;
  for (const site of findSites(schema, testCase.value, requests)) {
    const { path } = site;
    if (!isOpaque(site) || path[0] === "path") continue;
    const [example] = site.schema.examples ?? [];
    const changed = replaceAt(value, path, example);
    if (requests.find(schema, changed) === undefined) value = changed;
  }
  return { ...testCase, value: value as TestCase["value"] };
}

/** Tests whether a value refers to something else, or may be any text. */
function isOpaque({ path, schema, value }: Site): boolean {
  // The name of the property, or of the list that the item is in.
  const name = path.slice(1).findLast((key) => typeof key === "string");
  if (name === undefined || (typeof value !== "string" && typeof value !== "number")) return false;
  if (schema.enum !== undefined) return false;
  if (REFERENCES.has(toLastWord(name))) return true;
  const { pattern, format, minLength, maxLength } = schema;
  const isBare = [pattern, format, minLength, maxLength].every((keyword) => keyword === undefined);
  return path[0] !== "body" && typeof value === "string" && isBare;
}

function toLastWord(name: string): string {
  const words = name.replace(/([a-z\d])([A-Z])/g, "$1 $2").match(/[A-Za-z\d]+/g);
  return (words?.at(-1) ?? "").toLowerCase();
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/**
 * Gives a request other texts of the same lengths in its body, and removes optional keys, for a service whose names or keys are
 * unique.
 * @param count Different for each request.
 */
export function freshen(testCase: TestCase, count: number, requests: Validator): TestCase {
  const { schema } = testCase.shape;
  const { constraint } = testCase;
  const before = requests.find(schema, testCase.value);
  let value: unknown = testCase.value;
  for (const site of findSites(schema, testCase.value, requests)) {
    const { path, value: text } = site;
    // The value that is tested stays, except that of a text whose length is tested.
    if (isSame(path, testCase.known)) continue;
    const isTested = constraint !== undefined && isSame(constraint.path, path);
    if (isTested && !/^(?:min|max)Length$/.test(constraint.keyword)) continue;
    const isText = path[0] === "body" && typeof text === "string" && site.schema.enum === undefined;
    if (!isText && (path[0] === "body" || path[0] === "path" || !isOpaque(site))) continue;
    const changed = replaceAt(value, path, isText ? toText(Array.from(text).length, count) : undefined);
    const after = requests.find(schema, changed);
    if (after?.at === before?.at && after?.keyword === before?.keyword) value = changed;
  }
  return { ...testCase, value: value as TestCase["value"] };
}

/** The count in letters, its last digits first, over and over. */
function toText(length: number, count: number): string {
  let [text, rest] = ["", count];
  while (text.length < length) {
    text += LETTERS[rest % LETTERS.length] ?? "";
    rest = Math.floor(rest / LETTERS.length) || count + text.length;
  }
  return text;
}
