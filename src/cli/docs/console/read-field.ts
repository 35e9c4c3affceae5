import { parseExactJson } from "tenon/core/json";
import type { Field } from "./fields.js";

/** A field's value twice: digits that JavaScript would lose stay in what is sent. */
export interface FieldValue {
  readonly sent: unknown;
  /** As the contract's schemas see it. */
  readonly judged: unknown;
  /** Why it is not what the field is for. It can be sent all the same. */
  readonly mistake?: string;
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads what stands in a field that is no file. */
export function readField({ kind, types }: Pick<Field, "kind" | "types">, text: string): FieldValue {
  if (kind === "choice") {
    const value = JSON.parse(text) as unknown;
    return { sent: value, judged: value };
  }
  if (kind === "json") return readJson(text);
  const trimmed = text.trim();
  const allows = (...some: readonly string[]) =>
    types.length > 0 && types.some((type) => some.includes(type));
  if (NUMBER.test(trimmed) && allows("integer", "number")) return { sent: trimmed, judged: Number(trimmed) };
  if ((trimmed === "true" || trimmed === "false") && allows("boolean"))
    return { sent: trimmed, judged: trimmed === "true" };
  if (/^[[{]/.test(trimmed) && allows("array", "object")) return readJson(text);
  return { sent: text, judged: text };
}

/** Text that is not JSON is sent as it is. */
function readJson(text: string): FieldValue {
  try {
    const value = parseExactJson(text);
    return { sent: value, judged: value };
  } catch (error) {
    return { sent: text, judged: text, mistake: `It ${(error as SyntaxError).message}` };
  }
}
