import { createHash } from "node:crypto";
import fc from "fast-check";
import type { SchemaBook } from "../values/book.js";
import { toNumbers } from "../values/human/numbers.js";
import { toStrings } from "../values/human/strings.js";
import { sentence } from "../values/human/words.js";
import type { MakeValues } from "../values/place.js";
import type { Schema } from "../values/schema.js";
import { createValues } from "../values/values.js";

/**
 * Values of a schema one after another, each a little less like the contract's examples, until one is taken: what a schema says
 * with `not` and the like is only found out by trying.
 * @param seed The same gives the same values.
 */
export type TryValues = (schema: Schema, seed: number, dynamic: boolean) => Iterable<unknown>;

interface Manner {
  readonly make: MakeValues;
  readonly tries: number;
}

/** How often it is tried without examples. */
const TRIES = 60;

export function createTryValues(book: SchemaBook): TryValues {
  const create = (examples: number, optional: number, tries: number): Manner => ({
    make: createValues({ book, leaves: { strings: toStrings, numbers: toNumbers }, examples, optional }),
    tries,
  });
  const everyday = [create(1, 1, 1), create(0.5, 1, 10), create(0, 1, TRIES), create(0, 0.5, TRIES)];
  const dynamic = [create(0, 0.8, TRIES), create(0, 0.3, TRIES)];

  return function* (schema, seed, isDynamic) {
    for (const { make, tries } of isDynamic ? dynamic : everyday) {
      const values = make(schema);
      if (values === undefined) return;
      for (let count = 0; count < tries; count += 1) {
        // One at a time: nearly always the first one is taken.
        const [value] = fc.sample(values, { seed: (seed + count * 7919) | 0, numRuns: 1, unbiased: true });
        yield value;
      }
    }
  };
}

export function makeSentence(seed: number): string {
  return fc.sample(sentence, { seed, numRuns: 1, unbiased: true })[0] ?? "";
}

/** A seed of whatever decides about a value. */
export function toSeed(...parts: readonly unknown[]): number {
  return createHash("sha256").update(JSON.stringify(parts)).digest().readInt32LE();
}
