import fc from "fast-check";
import { toMediaKind } from "tenon/core/http";
import { flatten, type SchemaView } from "../../values/index.js";
import {
  isJsonText,
  type Path,
  type RequestShape,
  type RequestValue,
  type TestCase,
} from "../messages/index.js";
import { toValues, type ValueLocation } from "./values.js";

/** The requests made of a shape, with all optional parts and without. */
const made = new WeakMap<RequestShape, Map<boolean, fc.Arbitrary<RequestValue> | undefined>>();

/**
 * Makes requests that an operation allows.
 * @param full True to include all optional parts.
 * @returns undefined when a required part cannot be made.
 */
export function toRequests(
  shape: RequestShape,
  view: SchemaView,
  full = false,
): fc.Arbitrary<RequestValue> | undefined {
  const known = made.get(shape) ?? new Map<boolean, fc.Arbitrary<RequestValue> | undefined>();
  made.set(shape, known);
  if (!known.has(full)) known.set(full, makeRequests(shape, view, full));
  return known.get(full);
}

function makeRequests(
  shape: RequestShape,
  view: SchemaView,
  full: boolean,
): fc.Arbitrary<RequestValue> | undefined {
  const { properties = {}, required = [] } = flatten(shape.schema, view);
  const parts: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [part, schema] of Object.entries(properties)) {
    const location = part === "body" ? toBodyLocation(shape) : (part as ValueLocation);
    const values = toValues(schema, view, { location, full });
    if (values !== undefined) parts[part] = values;
    else if (required.includes(part)) return undefined;
  }
  const requiredKeys = Object.keys(parts).filter((part) => full || required.includes(part));
  return fc.record(parts, { requiredKeys });
}

/** The fields of a form are text, like the parameters of a query. */
function toBodyLocation({ mediaType }: RequestShape): ValueLocation {
  const kind = toMediaKind(mediaType?.name ?? "");
  return kind === "form" || kind === "multipart" ? "query" : "json";
}

/** Tests whether the value at a path is sent as text, so that 1 and "1" are the same. */
export function isTextAt(
  [location, name]: Path,
  { shape, operation }: Pick<TestCase, "shape" | "operation">,
): boolean {
  if (location === "body") return toMediaKind(shape.mediaType?.name ?? "") !== "json";
  const parameter = operation.parameters.find((one) => one.in === location && one.name === name);
  return parameter === undefined || !isJsonText(parameter);
}
