import type { Arbitrary } from "fast-check";
import type { FlatSchema } from "./flatten.js";
import type { Schema } from "./schema.js";

/** Where a value goes. */
export interface Place {
  /** Name of the property that it is the value of, or an item of; empty where there is none. */
  readonly name: string;
  /** Objects and arrays that it may have within each other. */
  readonly left: number;
}

/** Makes the values of a schema; undefined where there is none, because it asks for one without an end for example. */
export type MakeValues = (schema: Schema, place?: Place) => Arbitrary<unknown> | undefined;

/** What values consist of. Undefined where none can be made. */
export interface Leaves {
  readonly strings: (flat: FlatSchema, name: string) => Arbitrary<string> | undefined;
  readonly numbers: (flat: FlatSchema, name: string, isInteger: boolean) => Arbitrary<number> | undefined;
}

/** The place of a whole value. */
export const WHOLE: Place = { name: "", left: 8 };

/** With fewer levels left, what is optional is left out, and of alternatives those are taken that end soonest. */
const LEAN = 4;

/** Whether a value may have whatever its schema allows. */
export function isGenerous({ left }: Place): boolean {
  return left > LEAN;
}
