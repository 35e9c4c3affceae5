/** A pair of values, one from each contract. */
export interface Sides<Of> {
  readonly base: Of;
  readonly revision: Of;
}

/** Values of one key, in either contract or in both. */
export interface KeyedPair<Of> extends Sides<Of | undefined> {
  readonly key: string;
}

/** Pairs items by key, in the order of the base, followed by additions of the revision. */
export function pairBy<Of>(
  items: Sides<readonly Of[]>,
  toKey: (item: Of, side: keyof Sides<Of>) => string,
): readonly KeyedPair<Of>[] {
  const base = new Map(items.base.map((item) => [toKey(item, "base"), item]));
  const revision = new Map(items.revision.map((item) => [toKey(item, "revision"), item]));
  const keys = new Set([...base.keys(), ...revision.keys()]);
  return [...keys].map((key) => ({ key, base: base.get(key), revision: revision.get(key) }));
}
