import fc from "fast-check";
import type { SchemaBook } from "../../values/book.js";
import { flatten, type FlatSchema } from "../../values/flatten.js";
import { toNumbers } from "../../values/human/numbers.js";
import { toStrings } from "../../values/human/strings.js";
import { isObject, type Schema } from "../../values/schema.js";
import { createValues } from "../../values/values.js";

/** Values for samples; schemas are keys of a book. */
export interface SampleValues {
  /**
   * The author's example, else a value that the schema allows, as far as its keywords say one by one. Of an object, what is
   * required is there, or a few properties where nothing is.
   * @param name Of the parameter that it is for, which strings are made up by.
   * @returns undefined when the schema allows none.
   */
  readonly make: (schema: string, name: string) => unknown;
  /** Undefined when there is none. */
  readonly defaultOf: (schema: string) => unknown;
}

/** How many properties an object has that requires none. */
const FEW = 3;

export function createSampleValues(book: SchemaBook): SampleValues {
  const leaves = { strings: toStrings, numbers: toNumbers };
  const make = createValues({ book, leaves, examples: 1, optional: 0 });
  const read = (key: string) => flatten({ $ref: `#/$defs/${key}` }, book);

  const sample = (schema: Schema, name: string): unknown => {
    const values = make(schema, { name, left: DEPTH });
    // The same for the same contract: pages are compared, and kept by browsers.
    return values && fc.sample(values, { seed: 1, numRuns: 1, unbiased: true })[0];
  };
  return {
    make(key, name) {
      const schema = { $ref: `#/$defs/${key}` };
      const flat = read(key);
      const [example] = flat.examples ?? [];
      if (example !== undefined) return example;
      const value = sample(schema, name);
      if (!isObject(value) || Object.keys(value).length > 0) return value;
      const least = Math.min(FEW, countProperties(flat));
      return least === 0 ? value : (sample({ ...schema, minProperties: least }, name) ?? value);
    },
    defaultOf: (key) => read(key).default,
  };
}

/** Objects and arrays that a value may have within each other. */
const DEPTH = 8;

function countProperties({ properties = {} }: FlatSchema): number {
  return Object.values(properties).filter((schema) => schema !== false).length;
}
