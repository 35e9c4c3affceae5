import type { Level } from "../change.js";
import { SCHEMA_LIFECYCLE_CODES } from "./schema-lifecycle-codes.js";
import type { SchemaRule } from "./schema-rule.js";
import type { Side as Direction } from "tenon/core/schema";

/** Every difference between schemas. Each becomes two codes, one a direction: `request-enum-value-removed`. */
export const SCHEMA_CODES = {
  "type-removed": { effect: "narrower", counterpart: "type-added", text: "has fewer types" },
  "type-added": { effect: "wider", counterpart: "type-removed", text: "has more types" },
  "type-changed": {
    effect: "either",
    counterpart: "type-changed",
    request: "breaking",
    response: "breaking",
    text: "has another type",
  },
  "null-removed": { effect: "narrower", counterpart: "null-added", text: "is no longer null" },
  "null-added": { effect: "wider", counterpart: "null-removed", text: "can be null" },
  "enum-value-removed": { effect: "narrower", counterpart: "enum-value-added", text: "lost a value" },
  // Clients usually expect new values.
  "enum-value-added": {
    effect: "wider",
    counterpart: "enum-value-removed",
    response: "risky",
    text: "got a value",
  },
  "enum-added": { effect: "narrower", counterpart: "enum-removed", text: "is limited to certain values" },
  "enum-removed": {
    effect: "wider",
    counterpart: "enum-added",
    text: "is no longer limited to certain values",
  },
  "minimum-raised": { effect: "narrower", counterpart: "minimum-lowered", text: "has a higher minimum" },
  "minimum-lowered": { effect: "wider", counterpart: "minimum-raised", text: "has a lower minimum" },
  "maximum-lowered": { effect: "narrower", counterpart: "maximum-raised", text: "has a lower maximum" },
  "maximum-raised": { effect: "wider", counterpart: "maximum-lowered", text: "has a higher maximum" },
  "min-length-raised": {
    effect: "narrower",
    counterpart: "min-length-lowered",
    text: "has a higher minLength",
  },
  "min-length-lowered": { effect: "wider", counterpart: "min-length-raised", text: "has a lower minLength" },
  "max-length-lowered": {
    effect: "narrower",
    counterpart: "max-length-raised",
    text: "has a lower maxLength",
  },
  "max-length-raised": { effect: "wider", counterpart: "max-length-lowered", text: "has a higher maxLength" },
  "min-items-raised": { effect: "narrower", counterpart: "min-items-lowered", text: "has a higher minItems" },
  "min-items-lowered": { effect: "wider", counterpart: "min-items-raised", text: "has a lower minItems" },
  "max-items-lowered": { effect: "narrower", counterpart: "max-items-raised", text: "has a lower maxItems" },
  "max-items-raised": { effect: "wider", counterpart: "max-items-lowered", text: "has a higher maxItems" },
  "min-properties-raised": {
    effect: "narrower",
    counterpart: "min-properties-lowered",
    text: "has a higher minProperties",
  },
  "min-properties-lowered": {
    effect: "wider",
    counterpart: "min-properties-raised",
    text: "has a lower minProperties",
  },
  "max-properties-lowered": {
    effect: "narrower",
    counterpart: "max-properties-raised",
    text: "has a lower maxProperties",
  },
  "max-properties-raised": {
    effect: "wider",
    counterpart: "max-properties-lowered",
    text: "has a higher maxProperties",
  },
  "multiple-of-narrowed": {
    effect: "narrower",
    counterpart: "multiple-of-widened",
    text: "has a coarser multipleOf",
  },
  "multiple-of-widened": {
    effect: "wider",
    counterpart: "multiple-of-narrowed",
    text: "has a finer multipleOf",
  },
  "multiple-of-changed": {
    effect: "either",
    counterpart: "multiple-of-changed",
    request: "breaking",
    response: "breaking",
    text: "has another multipleOf",
  },
  "format-narrowed": { effect: "narrower", counterpart: "format-widened", text: "has a narrower format" },
  "format-widened": { effect: "wider", counterpart: "format-narrowed", text: "has a wider format" },
  "format-changed": {
    effect: "either",
    counterpart: "format-changed",
    request: "breaking",
    response: "breaking",
    text: "has another format",
  },
  "unknown-format-changed": {
    effect: "unknown",
    counterpart: "unknown-format-changed",
    text: "has another format, which is not a known one",
  },
  "pattern-added": { effect: "narrower", counterpart: "pattern-removed", text: "must match a pattern" },
  "pattern-removed": {
    effect: "wider",
    counterpart: "pattern-added",
    text: "no longer needs to match a pattern",
  },
  "pattern-changed": { effect: "unknown", counterpart: "pattern-changed", text: "has another pattern" },
  "unique-items-added": {
    effect: "narrower",
    counterpart: "unique-items-removed",
    text: "must have unique items",
  },
  "unique-items-removed": { effect: "wider", counterpart: "unique-items-added", text: "may repeat items" },
  "optional-property-added": {
    effect: "narrower",
    counterpart: "optional-property-removed",
    request: "safe",
    text: "got the optional property",
  },
  "optional-property-removed": {
    effect: "wider",
    counterpart: "optional-property-added",
    request: "risky",
    response: "risky",
    text: "lost the optional property",
  },
  "required-property-added": {
    effect: "narrower",
    counterpart: "required-property-removed",
    text: "got the required property",
  },
  "required-property-removed": {
    effect: "wider",
    counterpart: "required-property-added",
    request: "risky",
    text: "lost the required property",
  },
  "closed-property-added": {
    effect: "wider",
    counterpart: "closed-property-removed",
    response: "risky",
    text: "allowed no other properties and got the optional property",
  },
  "closed-property-removed": {
    effect: "narrower",
    counterpart: "closed-property-added",
    response: "risky",
    text: "allows no other properties and lost the optional property",
  },
  "closed-required-property-added": {
    effect: "either",
    counterpart: "closed-required-property-removed",
    request: "breaking",
    response: "risky",
    text: "allowed no other properties and got the required property",
  },
  "closed-required-property-removed": {
    effect: "either",
    counterpart: "closed-required-property-added",
    request: "breaking",
    response: "breaking",
    text: "allows no other properties and lost the required property",
  },
  "property-removed-after-sunset": {
    effect: "either",
    counterpart: "optional-property-added",
    request: "safe",
    response: "safe",
    text: "lost the property",
  },
  "property-became-required": {
    effect: "narrower",
    counterpart: "property-became-optional",
    text: "now requires the property",
  },
  "property-became-optional": {
    effect: "wider",
    counterpart: "property-became-required",
    text: "no longer requires the property",
  },
  "property-became-read-only": {
    effect: "wider",
    counterpart: "property-no-longer-read-only",
    request: "breaking",
    text: "no longer accepts the property, which became read-only:",
  },
  "property-no-longer-read-only": {
    effect: "narrower",
    counterpart: "property-became-read-only",
    request: "safe",
    text: "now accepts the property, which was read-only:",
  },
  "property-became-write-only": {
    effect: "wider",
    counterpart: "property-no-longer-write-only",
    text: "no longer has the property, which became write-only:",
  },
  "property-no-longer-write-only": {
    effect: "narrower",
    counterpart: "property-became-write-only",
    text: "now has the property, which was write-only:",
  },
  "pattern-properties-added": {
    effect: "unknown",
    counterpart: "pattern-properties-removed",
    text: "describes the properties that match",
  },
  "pattern-properties-removed": {
    effect: "unknown",
    counterpart: "pattern-properties-added",
    text: "no longer describes the properties that match",
  },
  "additional-properties-forbidden": {
    effect: "narrower",
    counterpart: "additional-properties-allowed",
    text: "no longer allows undescribed properties",
  },
  "additional-properties-allowed": {
    effect: "wider",
    counterpart: "additional-properties-forbidden",
    response: "risky",
    text: "allows undescribed properties",
  },
  "alternative-removed": {
    effect: "narrower",
    counterpart: "alternative-added",
    text: "lost the alternative",
  },
  "alternative-added": { effect: "wider", counterpart: "alternative-removed", text: "got the alternative" },
  "one-of-overlap-changed": {
    effect: "unknown",
    counterpart: "one-of-overlap-changed",
    text: "has `oneOf` alternatives that overlap differently",
  },
  "alternatives-not-compared": {
    effect: "unknown",
    counterpart: "alternatives-not-compared",
    text: "has too many alternatives to compare them all",
  },
  "values-not-compared": {
    effect: "unknown",
    counterpart: "values-not-compared",
    text: "has values that cannot be checked against the other contract",
  },
  "keyword-changed": { effect: "unknown", counterpart: "keyword-changed", text: "has a different" },
  "default-added": { effect: "none", counterpart: "default-removed", text: "got a default" },
  "default-removed": {
    effect: "none",
    counterpart: "default-added",
    request: "risky",
    text: "lost its default",
  },
  "default-changed": {
    effect: "none",
    counterpart: "default-changed",
    request: "risky",
    text: "has another default",
  },
  ...SCHEMA_LIFECYCLE_CODES,
} as const satisfies Readonly<Record<string, SchemaRule>>;

export type SchemaCode = keyof typeof SCHEMA_CODES;

/** The level of a change: fewer values in requests, or more values in responses, break clients. */
export function levelOf(code: SchemaCode, direction: Direction): Level {
  const rule: SchemaRule = SCHEMA_CODES[code];
  const stated = rule[direction];
  if (stated !== undefined) return stated;
  if (rule.effect === "none") return "safe";
  if (rule.effect === "unknown" || rule.effect === "either") return "risky";
  return (rule.effect === "narrower") === (direction === "request") ? "breaking" : "safe";
}
