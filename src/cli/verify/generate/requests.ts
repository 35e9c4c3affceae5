import fc from "fast-check";
import { toMediaKind } from "tenon/core/http/media-type";
import type { Draft } from "../draft.js";
import { flatten } from "../../values/flatten.js";
import type { RequestShape, RequestValue, Target, TargetOperation } from "../target.js";
import type { Path } from "./sites.js";
import type { TextPlace } from "./text.js";
import { toValues } from "./value.js";

/** What was made of a shape: with everything that is optional, and without. */
const made = new WeakMap<RequestShape, Map<boolean, fc.Arbitrary<RequestValue> | undefined>>();

/**
 * Requests that an operation allows, all parts of them.
 * @param full Has everything that is optional.
 * @returns undefined when some required part cannot be made.
 */
export function toRequests(
  shape: RequestShape,
  target: Target,
  full = false,
): fc.Arbitrary<RequestValue> | undefined {
  const known = made.get(shape) ?? new Map<boolean, fc.Arbitrary<RequestValue> | undefined>();
  made.set(shape, known);
  if (!known.has(full)) known.set(full, makeRequests(shape, target, full));
  return known.get(full);
}

function makeRequests(
  shape: RequestShape,
  { requests: book }: Target,
  full: boolean,
): fc.Arbitrary<RequestValue> | undefined {
  const { properties = {}, required = [] } = flatten(book.get(shape.schema), book);
  const parts: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [part, schema] of Object.entries(properties)) {
    const place = part === "body" ? toBodyPlace(shape) : (part as TextPlace);
    const values = toValues(schema, { book, place, depth: 0, full, made: new Map() });
    if (values !== undefined) parts[part] = values;
    else if (required.includes(part)) return undefined;
  }
  const requiredKeys = Object.keys(parts).filter((part) => full || required.includes(part));
  return fc.record(parts, { requiredKeys });
}

/** A form's fields are text as a query's parameters are. */
function toBodyPlace({ mediaType = "" }: RequestShape): TextPlace {
  const kind = toMediaKind(mediaType);
  return kind === "form" || kind === "multipart" ? "query" : "json";
}

/** Whether the value at a path goes out as text, so that 1 and "1" are the same. */
export function isTextAt(
  [place, name]: Path,
  { shape, operation }: Pick<Draft, "shape" | "operation">,
): boolean {
  if (place === "body") return toMediaKind(shape.mediaType ?? "") !== "json";
  return findStyle(operation, place, name) !== "json";
}

function findStyle({ parameters }: TargetOperation, place: unknown, name: unknown): string | undefined {
  return parameters.find((parameter) => parameter.in === place && parameter.name === name)?.style;
}
