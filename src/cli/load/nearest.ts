/** Changes of one character that a misspelt name may be away, at most; a short name fewer. */
const MOST_CHANGES = 3;

/**
 * Finds what somebody who wrote `name` most likely meant: `handler` among `handlers` and `main` is `handlers`.
 * @returns undefined when nothing is near.
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

/** The hint of a problem with a name; nothing when none is near. */
export function toHint(name: string, known: Iterable<string>): { readonly hint?: string } {
  const nearest = findNearest(name, known);
  return nearest === undefined ? {} : { hint: `Did you mean ${nearest}?` };
}

/** Levenshtein's distance: how many characters to add, take away or replace. */
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
