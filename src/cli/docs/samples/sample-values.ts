import fc from "fast-check";
import { isNode } from "tenon/core/document";
import { isAnything, type Schema } from "tenon/core/schema";
import {
  createValues,
  flatten,
  type FlatSchema,
  type SchemaView,
  toNumbers,
  toStrings,
} from "../../values/index.js";

/** Values for samples. */
export type SampleValues = ReturnType<typeof createSampleValues>;

/** Number of properties of an object that requires none. */
const MAX_OPTIONAL = 3;

export function createSampleValues(view: SchemaView) {
  const leaves = { strings: toStrings, numbers: toNumbers };
  const make = createValues({ ...view, leaves, examples: 1, optional: 0 });

  const sample = (schema: Schema, name: string): unknown => {
    const values = make(schema, { name, left: DEPTH });
    // The same for the same contract: pages are compared, and kept by browsers.
    return values && fc.sample(values, { seed: 1, numRuns: 1, unbiased: true })[0];
  };
  return {
    /**
     * The author's example, else a value that the schema allows, as far as its keywords say one by one. An object has what it
     * requires, or a few properties where it requires nothing.
     * @param name Of the parameter that it is for; strings are chosen by it.
     * @returns undefined when the schema allows none.
     */
    make(schema: Schema, name: string): unknown {
      const flat = flatten(schema, view);
      const [example] = flat.examples ?? [];
      if (example !== undefined) return example;
      const value = sample(schema, name);
      if (!isNode(value) || Object.keys(value).length > 0) return value;
      const least = Math.min(MAX_OPTIONAL, countProperties(flat));
      const { pointer } = schema;
      const some = { pointer, allOf: [schema, { pointer, minProperties: least }] };
      return least === 0 ? value : (sample(some, name) ?? value);
    },
    /** The name of a parameter where any text is allowed, as in `/repos/owner/repo`, otherwise as {@link make}. */
    makeNamed(schema: Schema, name: string): unknown {
      const { type, ...limits } = flatten(schema, view);
      const isText = type?.join() === "string" && isAnything(limits) && limits.examples === undefined;
      return isText ? name : this.make(schema, name);
    },
    defaultOf: (schema: Schema) => flatten(schema, view).default,
  };
}

/** Objects and arrays that a value may have within each other. */
const DEPTH = 8;

function countProperties({ properties = {} }: FlatSchema): number {
  return Object.values(properties).filter((schema) => schema.never !== true).length;
}
