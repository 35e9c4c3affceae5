/** The name that takes the fewest insertions, deletions and replacements to become `text`. */
export function nearest(text: string, names: readonly string[]): string {
  return names.reduce((best, name) => (distance(text, name) < distance(text, best) ? name : best));
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const [above = 0, left = 0, diagonal = 0] = [row[j + 1], next[j], row[j]];
      next.push(Math.min(above + 1, left + 1, diagonal + (a[i] === b[j] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
