import type { JsonSchema } from "tenon/core/schema";
import { buildCalls } from "tenon/core/validation";
import { emitKey, emitValue, LINE_WIDTH } from "../text.js";

/** An expression: a text, or a list of expressions between two texts, which has a line for each if it does not fit on one. */
export type Expression = string | List;

export interface List {
  /** The expression on one line. */
  readonly flat: string;
  readonly start: string;
  /** The beginning of each member: the key of an object. */
  readonly keys: readonly string[];
  readonly values: readonly Expression[];
  readonly end: string;
}

/** Emits the expression for a reference. */
export type EmitReference = (uri: string) => string;

/**
 * Emits the keywords of a JSON Schema of `toJsonSchema` as calls of `tenon/schemas`.
 * `{ type: "string", minLength: 1 }` becomes `[s.type("string"), s.minLength(1)]`.
 * @param before Number of characters in the line before the expression.
 */
export function emitRules(schema: JsonSchema, emitReference: EmitReference, before = 0): string {
  const expression = buildCalls<Expression>(schema, {
    call: (keyword, parts) => toExpression(`s.${keyword}(`, parts, ")"),
    list: (items) => toExpression("[", items, "]"),
    object: toObject,
    value: (value) => emitValue(value, "", -Infinity),
    reference: emitReference,
    putsDefaults: true,
  });
  return print(expression, "", before);
}

export function toObject(entries: readonly (readonly [string, Expression])[]): Expression {
  if (entries.length === 0) return "{}";
  const keys = entries.map(([key]) => `${emitKey(key)}: `);
  return toExpression(
    "{ ",
    entries.map(([, value]) => value),
    " }",
    keys,
  );
}

export function toExpression(
  start: string,
  values: readonly Expression[],
  end: string,
  keys: readonly string[] = [],
): Expression {
  const texts = values.map((value, index) => (keys[index] ?? "") + toFlat(value));
  return { flat: start + texts.join(", ") + end, start, keys, values, end };
}

const toFlat = (expression: Expression): string =>
  typeof expression === "string" ? expression : expression.flat;

export function print(expression: Expression, indent: string, before: number): string {
  if (typeof expression === "string" || before + expression.flat.length < LINE_WIDTH)
    return toFlat(expression);
  const { start, keys, values, end } = expression;
  // A call with one list or object keeps its brackets on the line of the call.
  const [only = ""] = values;
  if (values.length === 1 && keys.length === 0 && start.endsWith("(") && typeof only !== "string")
    return start + print(only, indent, before + start.length) + end;
  const inner = `${indent}  `;
  const lines = values.map((value, index) => {
    const key = keys[index] ?? "";
    return `${inner}${key}${print(value, inner, inner.length + key.length + 1)},\n`;
  });
  return `${start.trimEnd()}\n${lines.join("")}${indent}${end.trimStart()}`;
}
