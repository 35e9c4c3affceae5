import fc from "fast-check";
import { anything, type Schema } from "tenon/core/schema";
import { createValues, type SchemaView, sentence, toNumbers, toStrings } from "../values/index.js";

/**
 * Generates values of a schema one after another, each less like the contract's examples, until the caller accepts one: only a
 * validator knows whether a value satisfies `not` and the like.
 * @param seed The same seed gives the same values.
 */
export type TryValues = (schema: Schema | undefined, seed: number, dynamic: boolean) => Iterable<unknown>;

/** Number of values without examples to try. */
const TRIES = 60;

export function createTryValues(view: SchemaView): TryValues {
  const create = (examples: number, optional: number, tries: number) => ({
    make: createValues({ ...view, leaves: { strings: toStrings, numbers: toNumbers }, examples, optional }),
    tries,
  });
  const usual = [create(1, 1, 1), create(0.5, 1, 10), create(0, 1, TRIES), create(0, 0.5, TRIES)];
  const dynamic = [create(0, 0.8, TRIES), create(0, 0.3, TRIES)];

  return function* (schema = ANYTHING, seed, isDynamic) {
    for (const { make, tries } of isDynamic ? dynamic : usual) {
      const values = make(schema);
      if (values === undefined) return;
      for (let count = 0; count < tries; count += 1) {
        // One at a time, because the first one is nearly always accepted.
        const [value] = fc.sample(values, { seed: (seed + count * 7919) | 0, numRuns: 1, unbiased: true });
        yield value;
      }
    }
  };
}

const ANYTHING = anything("");

export function makeSentence(seed: number): string {
  return fc.sample(sentence, { seed, numRuns: 1, unbiased: true })[0] ?? "";
}

/**
 * Converts everything that determines a value to a seed: FNV-1a, whose bits MurmurHash 3's last step mixes. It runs in browsers, too.
 */
export function toSeed(...parts: readonly unknown[]): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(JSON.stringify(parts)))
    hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
