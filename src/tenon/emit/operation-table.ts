import type { NamedSchema, Operation, Parameter, RequestBody, Response } from "../contract/model.js";
import { type Field, toFields } from "./form-fields.js";
import { emitExpanded } from "./text.js";

type Schemas = ReadonlyMap<string, NamedSchema>;

/** Emits the table that the runtime enforces: an `OperationDescriptor` for each operation, as an array literal. */
export function emitOperationTable(operations: readonly Operation[], schemas: Schemas): string {
  if (operations.length === 0) return "[]";
  const rows = operations.map((operation) => `  ${emitExpanded(toDescriptor(operation, schemas), "  ")},\n`);
  return `[\n${rows.join("")}]`;
}

function toDescriptor(operation: Operation, schemas: Schemas): object {
  const { id, method, path, parameters, requestBody, responses, security, deprecation, stub } = operation;
  return {
    id,
    method,
    path,
    parameters: parameters.map(toParameter),
    ...(requestBody && {
      requestBody: toRequestBody(requestBody, schemas),
    }),
    responses: Object.fromEntries(responses.map((response) => [response.status, toResponse(response)])),
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

function toRequestBody({ required, mediaTypes }: RequestBody, schemas: Schemas): object {
  const forms = mediaTypes
    .filter(({ encoding }) => encoding !== undefined)
    .map((mediaType) => [mediaType.name, toFields(mediaType, schemas).map(toField)] as const);
  return {
    required,
    mediaTypes: mediaTypes.map(({ name }) => name),
    ...(forms.length > 0 && { forms: Object.fromEntries(forms) }),
  };
}

function toField({ property, type, array, encoding: { mediaTypes, delimiter } }: Field): object {
  return {
    name: property.name,
    type,
    ...(array && { array }),
    ...(array && delimiter && { delimiter }),
    ...(mediaTypes.length > 0 && { mediaTypes }),
  };
}

function toResponse({ mediaTypes }: Response): object {
  return {
    mediaTypes: mediaTypes.map(({ name }) => name),
    ...(mediaTypes.length > 1 && { methods: mediaTypes.map(({ methodName }) => methodName) }),
  };
}
