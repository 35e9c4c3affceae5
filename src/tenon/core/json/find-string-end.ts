/**
 * Finds the end of the JSON string that starts at an index. It searches for quotes, because a regular expression is expensive for long
 * texts.
 * @returns the index after the closing quote; undefined if there is none.
 */
export function findStringEnd(text: string, start: number): number | undefined {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charAt(quote - 1 - backslashes) === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return undefined;
}
