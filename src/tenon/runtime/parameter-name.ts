import type { ParameterDescriptor } from "./operation.js";
import { nameInside, toStyledValue } from "./styled-value.js";

const PLACES = {
  path: "Path parameter",
  query: "Query parameter",
  header: "Header",
  cookie: "Cookie",
} as const;

/** Names a parameter, or something in it, as its caller wrote it: `Query parameter "filter[age]"`. */
export function nameValue(parameter: ParameterDescriptor, path: readonly string[] = []): string {
  return `${PLACES[parameter.in]} "${nameInside(toStyledValue(parameter), path)}"`;
}

/** Where a parameter is among the values of a request: `query/limit`. No two parameters of an operation share it. */
export function toKey({ in: place, name }: Pick<ParameterDescriptor, "in" | "name">): string {
  return `${place}/${place === "header" ? name.toLowerCase() : name}`;
}
