import { toMediaKind } from "tenon/core/http";
import type { SchemaView } from "../../values/index.js";
import type { TestCase } from "../messages/index.js";
import { findSites, replaceAt, type Site } from "./sites.js";

/**
 * Makes requests with one value that services often fail for, whatever the contract says of it: a text with NUL, half of a
 * surrogate pair, an integer that no double or database column holds. The service may accept or refuse them.
 */
export function* withOddValues(testCase: TestCase, view: SchemaView): Generator<TestCase> {
  const { shape, value } = testCase;
  for (const site of findSites(shape.schema, value, view)) {
    for (const odd of toOddValues(site)) {
      const changed = replaceAt(value, site.path, odd) as TestCase["value"];
      yield { ...testCase, value: changed, expectation: "open" };
    }
  }
}

function toOddValues({ path, schema, value }: Site): readonly unknown[] {
  if (path.length < 2 && path[0] !== "body") return [];
  if (typeof value === "number" && Number.isInteger(value))
    return [2 ** 53, 2 ** 63, -(2 ** 63) - 2 ** 12, 1e26];
  if (typeof value !== "string" || schema.enum !== undefined || path[0] === "header") return [];
  // Many proxies refuse the others in a path before the service receives them.
  return path[0] === "path" ? ["%"] : [`a\u{0}b`, "\u{D800}", "' OR 1=1 --"];
}

/** Breaks the body of a valid request: it is not of its media type, or of an undeclared one. */
export function breakBody(testCase: TestCase): readonly TestCase[] {
  const { shape, value, operation } = testCase;
  if (shape.mediaType === undefined || value.body === undefined) return [];
  const { name } = shape.mediaType;
  const withRaw = (keyword: string, contentType: string, text: string): TestCase => ({
    ...testCase,
    expectation: "refused",
    constraint: { path: ["body"], keyword },
    raw: { contentType, text },
  });
  const isJson = toMediaKind(name) === "json";
  const isOpen = operation.requestBody?.mediaTypes.some((declared) => declared.name.includes("*")) ?? false;
  const text = isJson ? JSON.stringify(value.body) : "surely=not";
  return [
    ...(isJson ? [withRaw("malformed JSON", name, `${text.slice(0, -1) || "{"},,`)] : []),
    ...(isOpen ? [] : [withRaw("undeclared media type", "application/x-surely-not-declared", text)]),
  ];
}
