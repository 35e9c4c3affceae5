import fc, { type Arbitrary } from "fast-check";

/** Mixes two kinds of values. @param share The share of `a`: 0 to 1. */
export function mix<A, B>(a: Arbitrary<A>, b: Arbitrary<B>, share: number): Arbitrary<A | B> {
  if (share === 1) return a;
  const weight = Math.round(share * 100);
  return fc.oneof({ weight, arbitrary: a }, { weight: 100 - weight, arbitrary: b });
}
