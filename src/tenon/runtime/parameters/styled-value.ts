import type { ParameterDescriptor, ParameterStyle, StyledDescriptor, ValueType } from "../operation.js";
import { isObjectType } from "./plain-values.js";

/** How a value is written: a descriptor with its defaults. */
export interface StyledValue {
  readonly name: string;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly type: ValueType;
}

/**
 * Puts a descriptor's defaults in; without a place it is a field of a form.
 * @see https://spec.openapis.org/oas/v3.1.1#parameter-style
 */
export function toStyledValue(
  descriptor: StyledDescriptor & Partial<Pick<ParameterDescriptor, "in">>,
): StyledValue {
  const { name, type, in: place } = descriptor;
  const { style = place === "path" || place === "header" ? "simple" : "form" } = descriptor;
  const { explode = style === "form" } = descriptor;
  return { name, style, explode, type };
}

/** Whether the value's name is not on the wire, but those of its properties are: `R=100&G=200`. */
export function isExplodedObject({ style, explode, type }: StyledValue): boolean {
  const inPairs = style === "form" || style === "spaceDelimited" || style === "pipeDelimited";
  return inPairs && explode && isObjectType(type);
}

/**
 * Names a value, or something in it, as its caller wrote it: `filter[age]` for `age` in `filter`, and `age` when the
 * object's properties are on the wire by themselves.
 */
export function nameInside(value: StyledValue, path: readonly string[]): string {
  return isExplodedObject(value) && path.length > 0 ? bracket(path) : bracket([value.name, ...path]);
}

/** `["items", "0", "price"]` is `items[0][price]`. */
export function bracket([name = "", ...inner]: readonly string[]): string {
  return `${name}${inner.map((key) => `[${key}]`).join("")}`;
}
