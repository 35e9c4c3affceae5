/** Names that openapi-typescript misreads, because it treats names as parts of JSON pointers. */
const HOSTILE = /[%#]|^$|^\uE000/;

/** A private-use character, which documents rarely contain; names with it are encoded too. */
export const NAME_MARK = "\uE000";

/**
 * Encodes a name that openapi-typescript would change: `100%` becomes a mark and the codes of its characters. Other names stay
 * unchanged. {@link decodeName} restores it in the syntax tree.
 */
export function encodeName(name: string): string {
  if (!HOSTILE.test(name)) return name;
  const codes = Array.from({ length: name.length }, (_, index) => name.charCodeAt(index).toString(16));
  return NAME_MARK + codes.join("-");
}

export function isEncodedName(name: string): boolean {
  return name.startsWith(NAME_MARK);
}

export function decodeName(name: string): string {
  if (!isEncodedName(name)) return name;
  const codes = name.slice(NAME_MARK.length).split("-");
  return codes.map((code) => (code === "" ? "" : String.fromCharCode(Number.parseInt(code, 16)))).join("");
}
