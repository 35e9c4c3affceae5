import type { Schema } from "tenon/core/schema";
import { toConjunction } from "./conjunction.js";
import type { Kind, Opaque } from "./shape.js";
import { toCanonical } from "./values.js";

/** Keywords that are only tested for equality, by the kind of value that they restrict. */
const SCHEMAS_OF_ALL = ["not", "if", "then", "else"] as const;
const SCHEMAS_OF_KIND = {
  boolean: [],
  number: [],
  string: ["contentSchema"],
  array: ["contains", "unevaluatedItems"],
  object: ["propertyNames"],
} as const satisfies Readonly<Record<Kind, readonly (keyof Schema)[]>>;
const VALUES_OF_KIND = {
  boolean: [],
  number: [],
  string: [],
  array: ["minContains", "maxContains"],
  object: ["dependentRequired"],
} as const satisfies Readonly<Record<Kind, readonly (keyof Schema)[]>>;

export function readOpaque(kind: Kind, schema: Schema): readonly Opaque[] {
  const opaque: Opaque[] = [];
  for (const keyword of [...SCHEMAS_OF_ALL, ...SCHEMAS_OF_KIND[kind]]) {
    const child = schema[keyword];
    if (child !== undefined) opaque.push({ keyword, schema: toConjunction(child) });
  }
  for (const keyword of VALUES_OF_KIND[kind]) {
    const value = schema[keyword];
    if (value !== undefined) opaque.push({ keyword, text: toCanonical(value) });
  }
  if (schema.dynamicReference !== undefined)
    opaque.push({ keyword: "$dynamicRef", text: schema.dynamicReference });
  if (kind === "object")
    for (const [name, child] of Object.entries(schema.dependentSchemas ?? {}))
      opaque.push({ keyword: `dependentSchemas of ${name}`, schema: toConjunction(child) });
  return opaque;
}
