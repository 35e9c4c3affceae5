/** Results are kept for at least this many others: those of a large contract. */
const GENERATION = 20_000;

/**
 * Remembers what was made lately: contracts repeat texts, and the next build of a process that follows saves has most of them again.
 * @returns The result for a key, which is made if it is not known.
 */
export function createRecent<Result>(): (key: string, make: () => Result) => Result {
  let young = new Map<string, Result>();
  let old = young;
  return (key, make) => {
    const result = young.get(key) ?? old.get(key) ?? make();
    if (young.size === GENERATION) [old, young] = [young, new Map<string, Result>()];
    young.set(key, result);
    return result;
  };
}
