import fc from "fast-check";

/** Takes values of an arbitrary, the same ones for the same seed and names. */
export function sample<Value>(
  values: fc.Arbitrary<Value>,
  count: number,
  seed: number,
  ...names: readonly (string | number)[]
): readonly Value[] {
  return fc.sample(values, { numRuns: count, seed: toSeed(seed, names.join(" ")) });
}

/** FNV-1a. */
export function toSeed(seed: number, text: string): number {
  let hash = seed ^ 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0;
}
