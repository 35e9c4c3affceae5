/**
 * Formats a value as JSON.
 * @throws {TypeError} for what JSON leaves out: undefined, a function or a symbol.
 */
export function formatJson(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError(`Not a JSON value: ${typeof value}`);
  return text;
}
