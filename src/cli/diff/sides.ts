/** A pair of values, one from each contract. */
export interface Sides<Of> {
  readonly base: Of;
  readonly revision: Of;
}

/** Values of one key, in either contract or in both. */
export interface KeyedPair<Of> extends Partial<Sides<Of>> {
  readonly key: string;
}

/** Pairs items by key, in the order of the base, followed by additions of the revision. */
export function pairBy<Of>(
  items: Sides<readonly Of[]>,
  toKey: (item: Of, side: keyof Sides<Of>) => string,
): readonly KeyedPair<Of>[] {
  const base = new Map(items.base.map((item) => [toKey(item, "base"), item]));
  const revision = new Map(items.revision.map((item) => [toKey(item, "revision"), item]));
  return [...new Set([...base.keys(), ...revision.keys()])].map((key) => {
    const [one, other] = [base.get(key), revision.get(key)];
    return { key, ...(one !== undefined && { base: one }), ...(other !== undefined && { revision: other }) };
  });
}
