import type { Schema } from "tenon/core/schema";
import type { SchemaView } from "./flatten.js";
import { toNumbers } from "./human/numbers.js";
import { toStrings } from "./human/strings.js";
import { CHARACTER_SIZE, MAX_SIZE, VALUE_SIZE } from "./place.js";
import { createValues } from "./values.js";

/**
 * Explains why no value of a schema can be made.
 * @returns undefined unless a schema requires too large values.
 */
export function explainTooLarge(schema: Schema, view: SchemaView): string | undefined {
  const pointers: string[] = [];
  const values = createValues({
    ...view,
    leaves: { strings: toStrings, numbers: toNumbers },
    examples: 0,
    optional: 0,
    onTooLarge: (pointer) => pointers.push(pointer),
  })(schema);
  const [pointer] = pointers;
  if (values !== undefined || pointer === undefined) return undefined;
  const limits = `${MAX_SIZE / VALUE_SIZE} values or ${MAX_SIZE / CHARACTER_SIZE} characters`;
  return `the schema at ${pointer} requires more than ${limits}`;
}
