const UNION_WIDTH = 80;

/** A type as text with its outermost operator, so that parentheses are added only if needed. */
export interface TypeText {
  readonly operator: "|" | "&" | undefined;
  /** A single part if there is no operator. */
  readonly parts: readonly string[];
}

export function atom(text: string): TypeText {
  return { operator: undefined, parts: [text] };
}

/** Creates a union without duplicates; `never` if there are no types. */
export function union(types: readonly TypeText[]): TypeText {
  if (types.length === 1 && types[0] !== undefined) return types[0];
  const parts = new Set(types.flatMap((type) => (type.operator === "&" ? [parenthesize(type)] : type.parts)));
  if (parts.has("unknown")) return atom("unknown");
  if (parts.size > 1) parts.delete("never");
  return combine("|", [...parts], "never");
}

/** Creates an intersection; `unknown` if there are no types. */
export function intersection(types: readonly TypeText[]): TypeText {
  const parts = new Set(types.flatMap((type) => (type.operator === "|" ? [parenthesize(type)] : type.parts)));
  if (types.length === 1 && types[0] !== undefined) return types[0];
  parts.delete("unknown");
  return combine("&", [...parts], "unknown");
}

/** Creates a readonly array, so that handlers can reply with shared arrays. */
export function arrayOf(type: TypeText): TypeText {
  return atom(`readonly ${printElements(type)}`);
}

/** Prints an array type, to follow `readonly` or the `...` of a tuple: `Pet[]`. */
export function printElements(type: TypeText): string {
  const text = printType(type);
  const binds = type.operator === undefined && !text.startsWith("readonly ");
  return `${binds ? text : parenthesize(type)}[]`;
}

export function printType({ operator, parts }: TypeText): string {
  return parts.join(` ${operator ?? ""} `);
}

/**
 * Prints a type to follow `type X =` or `member:`. A union that does not fit on that line gets one part per line.
 * @param indent Indentation of the line in which the declaration starts.
 */
export function printDeclared(type: TypeText, indent = ""): string {
  const text = printType(type);
  if (type.operator !== "|" || (text.length <= UNION_WIDTH && !text.includes("\n"))) return ` ${text}`;
  return type.parts.map((part) => `\n${indent}  | ${part.replaceAll("\n", `\n${indent}    `)}`).join("");
}

function combine(operator: "|" | "&", parts: readonly string[], empty: string): TypeText {
  const [first = empty] = parts;
  return parts.length > 1 ? { operator, parts } : atom(first);
}

function parenthesize(type: TypeText): string {
  return `(${printType(type)})`;
}
