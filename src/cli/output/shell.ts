/** Quotes text as one word of the Windows command prompt, if it needs quotes there. */
export function quoteForCommandPrompt(text: string): string {
  return /^[\w@:=,./\\+-]+$/.test(text) ? text : `"${text.replaceAll('"', String.raw`\"`)}"`;
}

/** Quotes text as one word of a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
