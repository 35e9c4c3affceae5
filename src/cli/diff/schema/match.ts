import type { Shape } from "./shape.js";

/** What comparing two alternatives would find, everything that they consist of included. */
export interface Verdict {
  readonly narrower: boolean;
  readonly wider: boolean;
}

export interface Matching {
  /** To be compared. */
  readonly pairs: readonly (readonly [base: Shape, revision: Shape])[];
  /** Alternatives of the base that no other has the values of. */
  readonly removed: readonly Shape[];
  readonly added: readonly Shape[];
}

/**
 * Finds which alternatives of one kind are which: by the component that they are, then by having the same values, then by what is
 * left when one is. What is within another alternative of the other side is neither added nor removed.
 */
export function matchShapes(
  base: readonly Shape[],
  revision: readonly Shape[],
  judge: (base: Shape, revision: Shape) => Verdict,
): Matching {
  const pairs: (readonly [Shape, Shape])[] = [];
  let [before, after] = [base, revision];
  const pair = (is: (one: Shape, other: Shape) => boolean) => {
    for (const one of before) {
      const other = after.find((candidate) => is(one, candidate));
      if (other === undefined) continue;
      pairs.push([one, other]);
      before = before.filter((shape) => shape !== one);
      after = after.filter((shape) => shape !== other);
    }
  };
  if (base.length > 1 || revision.length > 1) {
    pair(
      (one, other) =>
        one.label !== undefined && one.label === other.label && isOnly(one, base) && isOnly(other, revision),
    );
    pair((one, other) => isEqual(judge(one, other)));
    const lone = before.length === 1 && after.length === 1;
    if (!lone) {
      const [removed, added] = [before, after];
      before = removed.filter((one) => !revision.some((other) => !judge(one, other).narrower));
      after = added.filter((other) => !base.some((one) => !judge(one, other).wider));
    }
  }
  const [one, other] = [before[0], after[0]];
  if (before.length === 1 && after.length === 1 && one && other)
    return { pairs: [...pairs, [one, other]], removed: [], added: [] };
  return { pairs, removed: before, added: after };
}

function isOnly({ label }: Shape, shapes: readonly Shape[]): boolean {
  return shapes.filter((shape) => shape.label === label).length === 1;
}

function isEqual({ narrower, wider }: Verdict): boolean {
  return !narrower && !wider;
}
