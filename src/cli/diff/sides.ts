/** A pair of values, one from each contract. */
export interface Sides<Of> {
  readonly base: Of;
  readonly revision: Of;
}

/** Pairs values by name, in the order of the base, followed by additions of the revision. */
export function pairByName<Of>(
  base: ReadonlyMap<string, Of>,
  revision: ReadonlyMap<string, Of>,
): readonly { readonly name: string; readonly base?: Of; readonly revision?: Of }[] {
  return [...new Set([...base.keys(), ...revision.keys()])].map((name) => {
    const [one, other] = [base.get(name), revision.get(name)];
    return { name, ...(one !== undefined && { base: one }), ...(other !== undefined && { revision: other }) };
  });
}
