import { isSame } from "tenon/core/schema";
import type { Constraint, TestCase } from "../messages/index.js";
import type { Validator } from "../validation/index.js";
import { isOpaque } from "./predictable.js";
import { findSites, replaceAt, type Site } from "./sites.js";

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
    const { path } = site;
    // The value that is tested stays.
    if (constraint !== undefined && isSame(constraint.path, path) && !isLength(constraint)) continue;
    const fresh = toFresh(site, count);
    if (fresh === undefined) continue;
    const changed = replaceAt(value, path, fresh.value);
    const after = requests.find(schema, changed);
    if (after?.at === before?.at && after?.keyword === before?.keyword) value = changed;
  }
  return { ...testCase, value: value as TestCase["value"] };
}

/** The length of a text stays. */
function isLength({ keyword }: Constraint): boolean {
  return keyword === "minLength" || keyword === "maxLength";
}

/** @returns undefined for a value that stays. */
function toFresh(site: Site, count: number): { readonly value: string | undefined } | undefined {
  const { path, schema, value } = site;
  if (path[0] === "body") {
    const isFree = typeof value === "string" && schema.enum === undefined;
    return isFree ? { value: toText(Array.from(value).length, count) } : undefined;
  }
  return path[0] !== "path" && isOpaque(site) ? { value: undefined } : undefined;
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
