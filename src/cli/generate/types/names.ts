/** openapi-typescript reads names as parts of JSON pointers: these it cannot decode, splits at, or drops. */
const HOSTILE = /[%#]|^$|^\uE000/;

/** A character for private use: hardly a document has it, and a name that does is encoded too. */
export const NAME_MARK = "\uE000";

/**
 * Writes a name so that openapi-typescript passes it on unchanged: `100%` becomes a mark and the codes of its characters,
 * an ordinary name stays as it is. {@link decodeName} is the way back, once the name is in a syntax tree.
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
