import type { NamedSchema, Operation, Parameter, RequestBody, Response, Schema } from "../contract/model.js";
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
    parameters: parameters.map((parameter) => toParameter(parameter, schemas)),
    ...(requestBody && {
      requestBody: toRequestBody(requestBody, schemas),
    }),
    responses: Object.fromEntries(responses.map((response) => [response.status, toResponse(response)])),
    security,
    ...(deprecation && { deprecation }),
    ...(stub && { stub }),
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

function toParameter({ name, in: place, schema, content }: Parameter, schemas: Schemas): object {
  if (content) return { name, in: place, type: "other" };
  const value = toValueSchema(schema, schemas);
  const array = value.types?.length === 1 && value.types[0] === "array";
  const type = toWireType(array ? toValueSchema(value.items ?? {}, schemas) : value);
  return { name, in: place, type, ...(array && { array }) };
}

/** Looks through references and an `allOf` of one, which 3.0 contracts put around a reference to describe it. */
function toValueSchema(schema: Schema, schemas: Schemas): Schema {
  const target = schema.reference === undefined ? schema.allOf?.[0] : schemas.get(schema.reference)?.schema;
  const single = schema.reference !== undefined || schema.allOf?.length === 1;
  if (schema.types === undefined && single && target !== undefined) return toValueSchema(target, schemas);
  return schema;
}

function toWireType({ types = [] }: Schema): string {
  const [type, ...others] = types;
  if (type === "string" || type === "integer" || type === "number" || type === "boolean") {
    return others.length === 0 ? type : "other";
  }
  return "other";
}
