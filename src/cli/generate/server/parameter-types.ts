import type { Parameter } from "tenon/core/model";
import type { ParameterLocation } from "tenon/core/parameters";
import { lifecycleLines } from "../lifecycle-comment.js";
import { emitType, type TypeContext } from "./schema-type.js";
import { emitComment, emitKey } from "../text.js";

/** Members of a request, by the location of their parameters. */
export const REQUEST_MEMBERS: Readonly<Record<ParameterLocation, string>> = {
  path: "path",
  query: "query",
  querystring: "querystring",
  header: "headers",
  cookie: "cookies",
};

/**
 * Emits the parameters of one location: `{ readonly limit?: number; }`. A parameter with a default is only absent in the `response` view,
 * which does not apply defaults.
 */
export function emitParameters(
  parameters: readonly Parameter[],
  context: TypeContext,
  indent: string,
): string {
  if (parameters.length === 0) return "{}";
  const inner = `${indent}  `;
  const members = parameters.map(
    ({ name, in: place, description, lifecycle, required, hasDefault, schema }) => {
      const comment = emitComment([description, ...lifecycleLines(lifecycle)], inner);
      const key = emitKey(place === "header" ? name.toLowerCase() : name);
      const optional = required || (hasDefault && context.view === "request") ? "" : "?";
      return `${comment}${inner}readonly ${key}${optional}: ${emitType(schema, context, inner)};\n`;
    },
  );
  return `{\n${members.join("")}${indent}}`;
}
