import type { Form, FormField, Operation, Parameter, RequestBody, Response } from "tenon/core/legacy/model";
import type {
  DeprecationDescriptor,
  FieldDescriptor,
  FormDescriptor,
  OperationDescriptor,
  ParameterDescriptor,
  RequestBodyDescriptor,
  ResponseDescriptor,
  StyledDescriptor,
} from "tenon/runtime/operation";
import { emitExpanded } from "./text.js";

/** Emits the table that the runtime enforces: an `OperationDescriptor` for each operation, as an array literal. */
export function emitOperationTable(operations: readonly Operation[]): string {
  if (operations.length === 0) return "[]";
  const rows = operations.map((operation) => `  ${emitExpanded(toDescriptor(operation), "  ")},\n`);
  return `[\n${rows.join("")}]`;
}

/** What the runtime knows of an operation. */
export function toDescriptor(operation: Operation): OperationDescriptor {
  const { id, method, path, parameters, requestBody, responses, security, lifecycle, stub } = operation;
  return {
    id,
    method,
    path,
    parameters: parameters.map(toParameter),
    ...(requestBody && { requestBody: toRequestBody(requestBody) }),
    responses: Object.fromEntries(responses.map((response) => [response.status, toResponse(response)])),
    security,
    ...(lifecycle?.deprecated === true && { deprecation: toDeprecation(operation) }),
    ...(stub && { stub }),
  };
}

function toDeprecation({ lifecycle, successor }: Operation): DeprecationDescriptor {
  const toText = (instant: number) => new Date(instant).toISOString();
  return {
    ...(lifecycle?.since !== undefined && { since: toText(lifecycle.since) }),
    ...(lifecycle?.sunset !== undefined && { sunset: toText(lifecycle.sunset) }),
    ...(successor && { successor: successor.path }),
  };
}

function toParameter(parameter: Parameter): ParameterDescriptor {
  const { name, in: place, type, allowEmptyValue, opaque, lifecycle, ...written } = parameter;
  return {
    name,
    in: place,
    ...toStyle(written, place === "path" || place === "header" ? "simple" : "form"),
    type,
    ...(allowEmptyValue && { allowEmptyValue }),
    ...(opaque && { opaque }),
    ...(lifecycle?.deprecated === true && { deprecated: true }),
  };
}

/** Leaves out what is OpenAPI's default. */
function toStyle(
  { style, explode }: Pick<Parameter, "style" | "explode">,
  usualStyle: string,
): Pick<StyledDescriptor, "style" | "explode"> {
  return {
    ...(style !== usualStyle && { style }),
    ...(explode !== (style === "form") && { explode }),
  };
}

function toRequestBody({ required, mediaTypes }: RequestBody): RequestBodyDescriptor {
  const forms = mediaTypes.flatMap(({ name, form }) =>
    form === undefined ? [] : [[name, toForm(form)] as const],
  );
  return {
    required,
    mediaTypes: mediaTypes.map(({ name }) => name),
    ...(forms.length > 0 && { forms: Object.fromEntries(forms) }),
  };
}

function toForm(form: Form | "text" | "binary"): FormDescriptor | "text" | "binary" {
  if (typeof form === "string") return form;
  const { fields, others } = form;
  return { fields: fields.map(toField), ...(others && { others: others.type }) };
}

function toField({ property, type, mediaTypes, ...written }: FormField): FieldDescriptor {
  return {
    name: property.name,
    ...toStyle(written, "form"),
    type,
    ...(mediaTypes.length > 0 && { mediaTypes }),
  };
}

function toResponse({ mediaTypes }: Response): ResponseDescriptor {
  return {
    mediaTypes: mediaTypes.map(({ name }) => name),
    ...(mediaTypes.length > 1 && { methods: mediaTypes.map(({ methodName }) => methodName) }),
  };
}
