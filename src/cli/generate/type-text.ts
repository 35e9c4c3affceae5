const UNION_WIDTH = 80;

/** A type and what binds its parts, so that parentheses go where they are needed and nowhere else. */
export interface TypeText {
  readonly operator: "|" | "&" | undefined;
  /** One part when there is no operator. */
  readonly parts: readonly string[];
}

export function atom(text: string): TypeText {
  return { operator: undefined, parts: [text] };
}

/** `A` or `B` or both, each once. Of nothing: `never`. */
export function union(types: readonly TypeText[]): TypeText {
  if (types.length === 1 && types[0] !== undefined) return types[0];
  const parts = new Set(types.flatMap((type) => (type.operator === "&" ? [parenthesize(type)] : type.parts)));
  if (parts.has("unknown")) return atom("unknown");
  if (parts.size > 1) parts.delete("never");
  return combine("|", [...parts], "never");
}

/** Everything at once. Of nothing: `unknown`. */
export function intersection(types: readonly TypeText[]): TypeText {
  const parts = new Set(types.flatMap((type) => (type.operator === "|" ? [parenthesize(type)] : type.parts)));
  if (types.length === 1 && types[0] !== undefined) return types[0];
  parts.delete("unknown");
  return combine("&", [...parts], "unknown");
}

/** A readonly array: a handler may reply with one that is not its own to change. */
export function arrayOf(type: TypeText): TypeText {
  return atom(`readonly ${printElements(type)}`);
}

/** `Pet[]`, as it follows `readonly` or the `...` of a tuple. */
export function printElements(type: TypeText): string {
  const text = printType(type);
  const binds = type.operator === undefined && !text.startsWith("readonly ");
  return `${binds ? text : parenthesize(type)}[]`;
}

export function printType({ operator, parts }: TypeText): string {
  return parts.join(` ${operator ?? ""} `);
}

/**
 * Prints what follows `type X =` or `member:`. A union that does not fit on that line gets one part a line.
 * @param indent Of the line that the declaration starts in.
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
