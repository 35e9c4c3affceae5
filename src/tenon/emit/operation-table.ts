import type { Operation, Parameter } from "../contract/model.js";
import { emitExpanded } from "./text.js";

/** Emits the table that the runtime enforces: an `OperationDescriptor` for each operation, as an array literal. */
export function emitOperationTable(operations: readonly Operation[]): string {
  if (operations.length === 0) return "[]";
  const rows = operations.map((operation) => `  ${emitExpanded(toDescriptor(operation), "  ")},\n`);
  return `[\n${rows.join("")}]`;
}

function toDescriptor(operation: Operation): object {
  const { id, method, path, parameters, requestBody, responses, security, deprecation, stub } = operation;
  return {
    id,
    method,
    path,
    parameters: parameters.map(toParameter),
    ...(requestBody && {
      requestBody: {
        required: requestBody.required,
        mediaTypes: requestBody.mediaTypes.map(({ name }) => name),
      },
    }),
    responses: Object.fromEntries(
      responses.map(({ status, mediaTypes }) => [status, { mediaTypes: mediaTypes.map(({ name }) => name) }]),
    ),
    security,
    ...(deprecation && { deprecation }),
    ...(stub && { stub }),
  };
}

/** Leaves out what is OpenAPI's default. */
function toParameter({ name, in: place, style, explode, type, allowEmptyValue }: Parameter): object {
  const usualStyle = place === "path" || place === "header" ? "simple" : "form";
  return {
    name,
    in: place,
    ...(style !== usualStyle && { style }),
    ...(explode !== (style === "form") && { explode }),
    type,
    ...(allowEmptyValue && { allowEmptyValue }),
  };
}
