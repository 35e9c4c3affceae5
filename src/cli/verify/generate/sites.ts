import type { SchemaBook } from "../../values/book.js";
import type { FlatSchema } from "../../values/flatten.js";
import { isObject, type Schema } from "../../values/schema.js";
import { choose } from "./fits.js";

export type Path = readonly (string | number)[];

/** A place in a value, and what the contract says of it. */
export interface Site {
  readonly path: Path;
  readonly schema: FlatSchema;
  readonly value: unknown;
}

const MAX_LENGTH = 7;

/** Every place in a value, the whole first. Of the items of an array the first stands for all. */
export function* findSites(
  schema: Schema,
  value: unknown,
  book: SchemaBook,
  path: Path = [],
): Generator<Site> {
  const flat = choose(schema, value, book);
  yield { path, schema: flat, value };
  if (path.length >= MAX_LENGTH) return;
  if (Array.isArray(value) && value.length > 0) {
    const item = flat.prefixItems?.[0] ?? flat.items;
    if (item !== undefined) yield* findSites(item, value[0], book, [...path, 0]);
  }
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const { properties = {}, additionalProperties } = flat;
    const declared = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (declared !== undefined) yield* findSites(declared, member, book, [...path, name]);
  }
}

/** The value with another one at a path; undefined there takes the member or item away. */
export function replaceAt(value: unknown, path: Path, replacement: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return replacement;
  if (Array.isArray(value)) {
    const inner = replaceAt(value[key as number], rest, replacement);
    return inner === undefined
      ? value.filter((_, index) => index !== key)
      : value.map((item: unknown, index) => (index === key ? inner : item));
  }
  const members = isObject(value) ? value : {};
  const inner = replaceAt(members[key], rest, replacement);
  const others = Object.entries(members);
  if (inner === undefined) return Object.fromEntries(others.filter(([name]) => name !== key));
  return Object.fromEntries([...others.filter(([name]) => name !== key), [String(key), inner]]);
}

export function getAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (node, key) =>
      typeof node === "object" && node !== null ? (node as Record<string, unknown>)[key] : undefined,
    value,
  );
}
