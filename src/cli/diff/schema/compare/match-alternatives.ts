import type { Shape } from "../normal-form/shape.js";

/** Relation between the values of a base and its revision, at any depth. */
export interface Relation {
  readonly narrower: boolean;
  readonly wider: boolean;
}

export interface Matching {
  /** Alternatives to compare with each other. */
  readonly pairs: readonly (readonly [base: Shape, revision: Shape])[];
  /** Alternatives of the base whose values no alternative of the revision contains. */
  readonly removed: readonly Shape[];
  readonly added: readonly Shape[];
}

/**
 * Pairs the alternatives of one kind: by component, then by equal values, then the last remaining one of each side. An alternative
 * that another alternative of the other side contains is neither added nor removed.
 */
export function matchShapes(
  base: readonly Shape[],
  revision: readonly Shape[],
  relate: (base: Shape, revision: Shape) => Relation,
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
    pair((one, other) => isEqual(relate(one, other)));
    const lone = before.length === 1 && after.length === 1;
    if (!lone) {
      const [removed, added] = [before, after];
      before = removed.filter((one) => !revision.some((other) => !relate(one, other).narrower));
      after = added.filter((other) => !base.some((one) => !relate(one, other).wider));
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

function isEqual({ narrower, wider }: Relation): boolean {
  return !narrower && !wider;
}
