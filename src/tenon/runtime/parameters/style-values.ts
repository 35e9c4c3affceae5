import type { ValueType } from "../operation.js";
import { describeType, findArrayType, isArrayType, type WireValue } from "./plain-values.js";
import { ValueProblem } from "./value-problem.js";

/** Turns a part of what was sent into text. It comes after splitting: an escaped delimiter is part of a value. */
export type Decode = (text: string) => string;

/**
 * The values that came under one name: all of them are an array's, anything else has only one.
 * @throws {ValueProblem} when there are several and the type has no array.
 */
export function readValues(
  values: readonly string[],
  type: ValueType,
  { decode, path = [] }: { readonly decode: Decode; readonly path?: readonly string[] },
): WireValue {
  if (findArrayType(type) === undefined) return decode(getOnly(values, type, path));
  const [only = "", ...others] = values;
  if (others.length > 0) return values.map(decode);
  // Whether one text is an array of one is the type's to say, where there are other types.
  if (!isArrayType(type)) return decode(only);
  // https://spec.openapis.org/oas/v3.1.1#style-examples: one empty text is the form of an empty array.
  return only === "" ? [] : [decode(only)];
}

export function getOnly(values: readonly string[], type: ValueType, path: readonly string[] = []): string {
  const [only = "", ...others] = values;
  if (others.length > 0) throw new ValueProblem(`must be ${describeType(type)}, and only once`, path);
  return only;
}
