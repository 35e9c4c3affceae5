import type { ParameterDescriptor } from "../operation.js";
import { nameInside, toStyledValue } from "./styled-value.js";
import type { ValidationProblem } from "../validation/validation-problems.js";

const PLACES = {
  path: "Path parameter",
  query: "Query parameter",
  header: "Header",
  cookie: "Cookie",
} as const;

/** Says where a parameter is, or something in it; the subject is as its caller wrote it: `Query parameter "filter[age]"`. */
export function locateValue(
  parameter: ParameterDescriptor,
  path: readonly string[],
): Omit<ValidationProblem, "text"> {
  const subject = `${PLACES[parameter.in]} "${nameInside(toStyledValue(parameter), path)}"`;
  return { in: parameter.in, path: [parameter.name, ...path], subject };
}

/** Where a parameter is among the values of a request: `query/limit`. No two parameters of an operation share it. */
export function toKey({ in: place, name }: Pick<ParameterDescriptor, "in" | "name">): string {
  return `${place}/${place === "header" ? name.toLowerCase() : name}`;
}
