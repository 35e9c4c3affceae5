/** Text as one word of a POSIX shell, which takes it as it is. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
