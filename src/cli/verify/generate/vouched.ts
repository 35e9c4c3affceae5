import type { Draft } from "../draft.js";
import type { Judge } from "../schema/judge.js";
import { isSame } from "../../values/schema.js";
import type { Target } from "../target.js";
import { findSites, type Path, replaceAt, type Site } from "./sites.js";

/** Last words of names whose values stand for something elsewhere. */
const REFERENCES = new Set("id ids uuid guid ref refs key keys token cursor code".split(" "));

/**
 * Whether the contract vouches for every value of a request: that a service refuses it has no reason that the contract could
 * not have said. It does not where a value stands for something that has to exist, or where a parameter is any text
 * and the author gives no example: a cursor, a query language.
 */
export function isVouched({ operation, shape, value, wrong }: Draft, { requests }: Target): boolean {
  for (const site of findSites(requests.get(shape.schema), value, requests)) {
    if (!isOpen(site)) continue;
    // The author's own example of what is at its limit is none.
    if (wrong !== undefined && isSame(wrong.path, site.path)) return false;
    const given = [...(site.schema.examples ?? []), site.schema.default];
    if (given.some((one) => isSame(one, site.value))) continue;
    const inPath = site.path[0] === "path" && operation.path.includes("{");
    // What is in no store is 404, and 400 for an integer is a refusal like any.
    if (inPath && typeof site.value === "number") continue;
    return false;
  }
  return true;
}

/** Replaces what the contract does not vouch for by the author's examples, or leaves it out where neither is needed. */
export function vouch(draft: Draft, { requests: book }: Target, requests: Judge): Draft {
  const { schema } = draft.shape;
  let value: unknown = draft.value;
  for (const site of findSites(book.get(schema), draft.value, book)) {
    const { path } = site;
    if (!isOpen(site) || path[0] === "path") continue;
    const [example] = site.schema.examples ?? [];
    const vouched = replaceAt(value, path, example);
    if (requests.find(schema, vouched) === undefined) value = vouched;
  }
  return { ...draft, value: value as Draft["value"] };
}

/** Whether a value stands for something else, or may be any text. */
export /** Whether a value stands for something else, or may be any text. */
function isOpen({ path, schema, value }: Site): boolean {
  const name = lastName(path);
  if (name === undefined || (typeof value !== "string" && typeof value !== "number")) return false;
  if (schema.enum !== undefined) return false;
  if (REFERENCES.has(toLastWord(name))) return true;
  const { pattern, format, minLength, maxLength } = schema;
  const isBare = [pattern, format, minLength, maxLength].every((keyword) => keyword === undefined);
  return path[0] !== "body" && typeof value === "string" && isBare;
}

/** The name of what a place is in: that of a list for its items. */
function lastName(path: Path): string | undefined {
  const names = path.slice(1).filter((key) => typeof key === "string");
  return names.at(-1);
}

function toLastWord(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z\d]+/)
    .filter((word) => word !== "");
  return (words.at(-1) ?? "").toLowerCase();
}
