import type { Schema } from "tenon/core/schema";

/** Schemas that must all hold for one value; references are followed later. Without schemas: any value. */
export interface Conjunction {
  /** Equal for the same schemas of one contract, in any order. */
  readonly key: string;
  readonly parts: readonly Schema[];
}

export const ANYTHING: Conjunction = { key: "", parts: [] };

const NEVER: Conjunction = { key: "never", parts: [{ pointer: "#", never: true }] };

const singles = new WeakMap<Schema, Conjunction>();
let last = 0;

/** A conjunction of one schema. */
export function toConjunction(schema: Schema | undefined): Conjunction {
  if (schema === undefined || Object.keys(schema).length === 1) return ANYTHING;
  if (schema.never === true) return NEVER;
  let known = singles.get(schema);
  if (known === undefined) {
    last += 1;
    known = { key: String(last), parts: [schema] };
    singles.set(schema, known);
  }
  return known;
}

/** Builds a schema with the values of a conjunction. */
export function toSchema({ parts }: Conjunction): Schema {
  const [first, ...others] = parts;
  if (first === undefined) return { pointer: "#" };
  return others.length === 0 ? first : { pointer: first.pointer, allOf: parts };
}

export function join(a: Conjunction, b: Conjunction): Conjunction {
  if (a.key === b.key || b.key === "") return a;
  if (a.key === "") return b;
  if (isNever(a) || isNever(b)) return NEVER;
  const keyOf = (part: Schema) => Number(toConjunction(part).key);
  const parts = [...new Set([...a.parts, ...b.parts])];
  const key = parts
    .map(keyOf)
    .sort((one, other) => one - other)
    .join(",");
  return { key, parts };
}

export function isNever({ key }: Conjunction): boolean {
  return key === NEVER.key;
}

export function isAnything({ key }: Conjunction): boolean {
  return key === ANYTHING.key;
}
