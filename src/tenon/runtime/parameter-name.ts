import type { ParameterDescriptor } from "./operation.js";
import { isExplodedObject } from "./styled-value.js";

const PLACES = {
  path: "Path parameter",
  query: "Query parameter",
  header: "Header",
  cookie: "Cookie",
} as const;

/**
 * Names a value as its caller wrote it: `Query parameter "filter[age]"` for `age` in `filter`, and `Query parameter "age"`
 * when the object's properties are parameters of their own.
 */
export function nameValue(parameter: ParameterDescriptor, path: readonly string[] = []): string {
  const names = isExplodedObject(parameter) && path.length > 0 ? path : [parameter.name, ...path];
  const [name = "", ...inner] = names;
  return `${PLACES[parameter.in]} "${name}${inner.map((key) => `[${key}]`).join("")}"`;
}

/** Where a parameter is among the values of a request: `query/limit`. No two parameters of an operation share it. */
export function toKey({ in: place, name }: Pick<ParameterDescriptor, "in" | "name">): string {
  return `${place}/${place === "header" ? name.toLowerCase() : name}`;
}
