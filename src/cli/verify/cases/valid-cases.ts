import fc from "fast-check";
import { toMediaKind } from "tenon/core/http";
import type { Operation } from "tenon/core/model";
import { flatten, type SchemaView } from "../../values/index.js";
import type { Phase, RequestShape, RequestValue, TestCase } from "../messages/index.js";
import type { Validator } from "../validator.js";
import { toValues, type ValueLocation } from "./values.js";

/** The inputs for making test cases. */
export interface CaseContext {
  readonly requests: Validator;
  /** Values of an operation's path parameters that lead to something that exists. */
  readonly resources: {
    choose(operation: Operation, pick: number): Readonly<Record<string, unknown>>;
  };
  readonly seed: number;
}

/** Candidates per test case, because the validator may reject some. */
const OVERSAMPLING = 4;

/** Makes valid requests of one shape, the same for the same seed. Empty when none can be made. */
export function makeValid(
  operation: Operation,
  shape: RequestShape,
  { phase, count, full = false }: { readonly phase: Phase; readonly count: number; readonly full?: boolean },
  context: CaseContext,
): readonly TestCase[] {
  const values = toRequests(shape, context.requests, full);
  if (values === undefined) return [];
  const name = [operation.id, shape.mediaType?.name ?? "", phase, String(full)];
  const seeded = { numRuns: count * OVERSAMPLING, seed: toSeed(context.seed, name.join(" ")) };
  const valid: RequestValue[] = [];
  for (const value of fc.sample(values, seeded)) {
    if (valid.length === count) break;
    if (context.requests.find(shape.schema, value) === undefined) valid.push(value);
  }
  return valid.map((value, index) => {
    const testCase: TestCase = { operation, shape, value, expectation: "accepted", phase };
    return withKnownPath(testCase, index, context);
  });
}

/** Gives a request the path of something that exists, if any is known. */
export function withKnownPath(
  testCase: TestCase,
  pick: number,
  { resources, requests }: Pick<CaseContext, "resources" | "requests">,
): TestCase {
  const known = resources.choose(testCase.operation, pick);
  const value = { ...testCase.value, path: { ...testCase.value.path, ...known } };
  const isBetter = Object.keys(known).length > 0 && requests.find(testCase.shape.schema, value) === undefined;
  return isBetter ? { ...testCase, value } : testCase;
}

/** FNV-1a. */
export function toSeed(seed: number, text: string): number {
  let hash = seed ^ 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0;
}

/** The requests made of a shape, with all optional parts and without. */
const made = new WeakMap<RequestShape, Map<boolean, fc.Arbitrary<RequestValue> | undefined>>();

/**
 * Makes requests that an operation allows.
 * @param full True to include all optional parts.
 * @returns undefined when a required part cannot be made.
 */
function toRequests(
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
