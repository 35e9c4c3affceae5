import type { Schema } from "tenon/core/schema";
import type { Rule } from "../rule.js";

/** Formats whose integers JSON parsers keep exactly. */
const EXACT_FORMATS: ReadonlySet<string> = new Set(["int8", "int16", "int32", "uint8", "uint16", "uint32"]);

const { MAX_SAFE_INTEGER, MIN_SAFE_INTEGER } = Number;

/**
 * Requires integers of requests to have limits within ±(2^53 − 1). The runtime responds with 400 to larger ones, because many JSON
 * parsers round them, and callers only see that in the contract if it declares the limits.
 * @see https://www.rfc-editor.org/rfc/rfc7493#section-2.2
 */
export const integerExact: Rule = (_contract, { declarations, report }) => {
  for (const schema of declarations.schemas) {
    if (!declarations.requestSchemas.has(schema.pointer) || schema.readOnly === true) continue;
    const missing = findMissingLimits(schema);
    if (missing.length === 0) continue;
    const message = `Expected limits from ${MIN_SAFE_INTEGER} to ${MAX_SAFE_INTEGER}: larger integers get 400, because JSON parsers round them. Add ${missing.join(" and ")}, or format: int32, or use type: string.`;
    report(schema.pointer, message, { onKey: true });
  }
};

function findMissingLimits(schema: Schema): readonly string[] {
  const { type = [], enum: values, format = "" } = schema;
  if (!type.includes("integer") || type.includes("number")) return [];
  if (values !== undefined || EXACT_FORMATS.has(format)) return [];
  const { minimum = -Infinity, exclusiveMinimum = -Infinity } = schema;
  const { maximum = Infinity, exclusiveMaximum = Infinity } = schema;
  return [
    ...(Math.max(minimum, exclusiveMinimum + 1) < MIN_SAFE_INTEGER ? ["minimum"] : []),
    ...(Math.min(maximum, exclusiveMaximum - 1) > MAX_SAFE_INTEGER ? ["maximum"] : []),
  ];
}
