/** The edit distance up to which a name counts as misspelt; a short name has a smaller limit. */
const MOST_CHANGES = 3;

/**
 * Finds the known name that `name` is most likely a misspelling of: `handlers` for `handler`.
 * @returns undefined when none is similar.
 */
export function findNearest(name: string, known: Iterable<string>): string | undefined {
  return listNear(name, known)[0];
}

/**
 * Finds the only name that can be meant: the only one with the same letters and digits, or else the only similar one.
 * @returns undefined when there is none, or a choice.
 */
export function findOnly(name: string, known: Iterable<string>): string | undefined {
  const near = listNear(name, known);
  const toLetters = (text: string) => text.toLowerCase().replaceAll(/[-_]/g, "");
  const alike = near.filter((candidate) => toLetters(candidate) === toLetters(name));
  const [only, ...others] = alike.length > 0 ? alike : near;
  return others.length === 0 ? only : undefined;
}

/** Lists the known names that `name` may be a misspelling of, the most likely one first. */
export function listNear(name: string, known: Iterable<string>): readonly string[] {
  const most = Math.min(MOST_CHANGES, Math.floor(name.length * 0.4));
  return [...new Set(known)]
    .filter((candidate) => candidate !== name && Math.abs(candidate.length - name.length) <= most)
    .map((candidate) => ({ candidate, changes: countChanges(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ changes }) => changes <= most)
    .sort((a, b) => a.changes - b.changes)
    .map(({ candidate }) => candidate);
}

/** The hint of a problem with an unknown name; empty when no known name is similar. */
export function toHint(name: string, known: Iterable<string>): { readonly hint?: string } {
  return suggest(findNearest(name, known));
}

/** The hint of a problem whose likely correction is known. */
export function suggest(nearest: string | undefined): { readonly hint?: string } {
  return nearest === undefined ? {} : { hint: `Did you mean ${nearest}?` };
}

/** The Levenshtein distance. */
function countChanges(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a.charAt(row - 1) === b.charAt(column - 1);
      const replaced = (above[column - 1] ?? 0) + (isSame ? 0 : 1);
      current.push(Math.min(replaced, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[b.length] ?? 0;
}
