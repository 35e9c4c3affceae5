/**
 * Puts text into a file beside a line that has a given text.
 * @param where `after "text"` or `before "text"`.
 * @throws {Error} unless exactly one line has that text.
 */
export function insertText(source: string, text: string, where: string): string {
  const [, side, mark = ""] = /^(after|before) "(.*)"$/.exec(where) ?? [];
  if (side === undefined) throw new Error(`insert wants: after "text" or before "text", not ${where}`);
  const lines = source.split("\n");
  const at = lines.flatMap((line, index) => (line.includes(mark) ? [index] : []));
  const [first] = at;
  if (first === undefined || at.length > 1) throw new Error(`${at.length} lines have the text ${mark}`);
  lines.splice(side === "after" ? first + 1 : first, 0, ...text.split("\n"));
  return lines.join("\n");
}

/**
 * Applies a block that shows lines as `diff` does: `-` for those that go, `+` for those that come, a space for those around.
 * @throws {Error} unless the lines that go and those around are in the file exactly once.
 */
export function applyDiff(source: string, diff: string): string {
  const lines = diff.split("\n");
  const side = (sign: string) =>
    lines
      .filter((line) => !line.startsWith(sign))
      .map((line) => line.slice(1))
      .join("\n");
  const parts = source.split(side("+"));
  if (parts.length !== 2) throw new Error(`What the block changes is there ${parts.length - 1} times`);
  return parts.join(side("-"));
}
