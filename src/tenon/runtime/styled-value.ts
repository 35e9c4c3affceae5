import type { ParameterDescriptor, ParameterStyle, ValueType } from "./operation.js";
import { isObjectType } from "./plain-values.js";

/** How a value is written: a parameter's descriptor with its defaults. */
export interface StyledValue {
  readonly name: string;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly type: ValueType;
}

/** @see https://spec.openapis.org/oas/v3.1.1#parameter-style */
export function toStyledValue({ in: place, ...parameter }: ParameterDescriptor): StyledValue {
  const { name, type, style = place === "path" || place === "header" ? "simple" : "form" } = parameter;
  const { explode = style === "form" } = parameter;
  // The text of JSON is taken as it is; whoever reads it knows better.
  return type === "json" ? { name, style, explode, type: "string" } : { name, style, explode, type };
}

/** Whether the parameter's name is not on the wire, but those of its properties are: `R=100&G=200`. */
export function isExplodedObject(parameter: ParameterDescriptor): boolean {
  const { style, explode, type } = toStyledValue(parameter);
  const inPairs = parameter.in === "query" || parameter.in === "cookie";
  return inPairs && explode && style !== "deepObject" && isObjectType(type);
}
