import type { ValueType } from "./operation.js";
import { describeType, findArrayType, type WireValue } from "./plain-values.js";
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
  return findArrayType(type) === undefined ? decode(getOnly(values, type, path)) : toItems(values, decode);
}

/** One empty text is the form of an empty array. @see https://spec.openapis.org/oas/v3.1.1#style-examples */
export function toItems(values: readonly string[], decode: Decode): readonly string[] {
  return values.length === 1 && values[0] === "" ? [] : values.map(decode);
}

export function getOnly(values: readonly string[], type: ValueType, path: readonly string[] = []): string {
  const [only = "", ...others] = values;
  if (others.length > 0) throw new ValueProblem(`must be ${describeType(type)}, and only once`, path);
  return only;
}
