import { toInstant } from "./to-instant.js";
import { type DocumentContext, joinPointer, type Located } from "./document.js";
import type { Deprecation } from "./model.js";

/**
 * Builds the end of an operation's life from `deprecated`, `x-deprecated-since`, `x-sunset` and `x-replaced-by`.
 * @param pathsById Path of every operation that states an `operationId`.
 * @returns undefined when the operation has none of the four.
 */
export function buildDeprecation(
  operation: Located,
  pathsById: ReadonlyMap<unknown, string>,
  context: DocumentContext,
): Deprecation | undefined {
  const { node, pointer } = operation;
  const since = buildInstant("x-deprecated-since", operation, context);
  const sunset = buildInstant("x-sunset", operation, context);
  const replacedBy = node["x-replaced-by"];
  const successor = replacedBy === undefined ? undefined : pathsById.get(replacedBy);
  if (replacedBy !== undefined && successor === undefined) {
    const message = `x-replaced-by must be the operationId of an operation, found ${JSON.stringify(replacedBy)}`;
    context.report("replaced-by-unknown", joinPointer(pointer, "x-replaced-by"), message);
  }
  // RFC 9745, section 4: the sunset must not be earlier than the deprecation.
  if (since !== undefined && sunset !== undefined && sunset < since) {
    const message = "x-sunset must not be earlier than x-deprecated-since";
    context.report("date-invalid", joinPointer(pointer, "x-sunset"), message);
  }
  const deprecation = {
    ...(since !== undefined && { since }),
    ...(sunset !== undefined && { sunset }),
    ...(successor !== undefined && { successor }),
  };
  return node["deprecated"] === true || Object.keys(deprecation).length > 0 ? deprecation : undefined;
}

function buildInstant(
  key: string,
  { node, pointer }: Located,
  { report }: DocumentContext,
): string | undefined {
  const value = node[key];
  if (value === undefined) return undefined;
  const instant = toInstant(value);
  if (instant !== undefined) return new Date(instant).toISOString();
  const message = `${key} must be a date such as "2030-12-05", found ${JSON.stringify(value)}`;
  report("date-invalid", joinPointer(pointer, key), message);
  return undefined;
}
