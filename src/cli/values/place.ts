import fc, { type Arbitrary } from "fast-check";
import type { Schema } from "tenon/core/schema";
import type { FlatSchema } from "./flatten.js";

/** The position of a value in another. */
export interface Place {
  /** Name of the property that has the value or its array; empty for a whole value. */
  readonly name: string;
  /** Levels of objects and arrays that it may have. */
  readonly left: number;
}

/** Makes the values of a schema; undefined when it has none, or only infinite or too large ones. */
export type MakeValues = (schema: Schema, place?: Place) => Arbitrary<unknown> | undefined;

/** Values, and the size of a large one: about the time and memory that it takes. */
export interface SizedValues {
  readonly values: Arbitrary<unknown>;
  readonly size: number;
}

export type MakeSized = (schema: Schema, place: Place) => SizedValues | undefined;

/** Size of a value without the values and the text in it. */
export const VALUE_SIZE = 100;

/** Size of a generated character; one of an example is 1. */
export const CHARACTER_SIZE = 10;

/** Size of the largest value: a short schema can require any size. */
export const MAX_SIZE = 1_000_000;

/** Makers of strings and numbers. Undefined when the schema has none. */
export interface Leaves {
  /** Names of undeclared properties. Default: strings. */
  readonly names?: Arbitrary<string>;
  readonly strings: (flat: FlatSchema, name: string) => Arbitrary<string> | undefined;
  readonly numbers: (flat: FlatSchema, name: string, isInteger: boolean) => Arbitrary<number> | undefined;
}

/** The place of a whole value. */
export const WHOLE: Place = { name: "", left: 8 };

/** With fewer levels left, values lack optional parts and have the alternatives with the fewest levels. */
export const LEAN = 4;

/** Tests whether a value may have optional parts. */
export function isGenerous({ left }: Place): boolean {
  return left > LEAN;
}

/** Mixes two kinds of values. @param share The share of `a`: 0 to 1. */
export function mix<A, B>(a: Arbitrary<A>, b: Arbitrary<B>, share: number): Arbitrary<A | B> {
  if (share === 1) return a;
  const weight = Math.round(share * 100);
  return fc.oneof({ weight, arbitrary: a }, { weight: 100 - weight, arbitrary: b });
}
