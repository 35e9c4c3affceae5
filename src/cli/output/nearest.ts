/** The edit distance up to which a name counts as misspelt; a short name has a smaller limit. */
const MOST_CHANGES = 3;

/**
 * Finds the known name that `name` is most likely a misspelling of: `handlers` for `handler`.
 * @returns undefined when none is similar.
 */
export function findNearest(name: string, known: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let least = Math.min(MOST_CHANGES, Math.floor(name.length * 0.4));
  for (const candidate of known) {
    if (candidate === name || Math.abs(candidate.length - name.length) > least) continue;
    const changes = countChanges(name.toLowerCase(), candidate.toLowerCase());
    if (changes > least || (nearest !== undefined && changes === least)) continue;
    nearest = candidate;
    least = changes;
  }
  return nearest;
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
