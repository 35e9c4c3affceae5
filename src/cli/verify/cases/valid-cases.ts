import fc from "fast-check";
import { isNode } from "tenon/core/document";
import { toMediaKind } from "tenon/core/http";
import type { Operation } from "tenon/core/model";
import type { ParameterLocation } from "tenon/core/parameters";
import type { Schema } from "tenon/core/schema";
import {
  createFit,
  createValues,
  type FlatSchema,
  flatten,
  FORMATS,
  type SchemaView,
  toIntegerRange,
} from "../../values/index.js";
import type { Phase, RequestShape, RequestValue, TestCase } from "../messages/index.js";
import { toUnicodePattern, type Validator } from "../validator.js";
import { toSent } from "./sites.js";

/** The inputs for making test cases. */
export interface CaseContext {
  readonly requests: Validator;
  /** Values of an operation's path parameters that lead to something that exists. */
  readonly resources: {
    choose(operation: Operation, pick: number): Readonly<Record<string, unknown>>;
    /** The value of a body's member that refers to something that exists. */
    refer(operation: Operation, member: string, pick: number): unknown;
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
  for (const whole of fc.sample(values, seeded)) {
    if (valid.length === count) break;
    const value = toSent(whole, { operation, shape });
    if (context.requests.find(shape.schema, value) === undefined) valid.push(value);
  }
  return valid.map((value, index) => {
    const testCase: TestCase = { operation, shape, value, expectation: "accepted", phase };
    return withReferences(withKnownPath(testCase, index, context), index, context);
  });
}

/** Lets the members of a body refer to what exists, if any is known: a loan needs the ID of a member. */
function withReferences(
  testCase: TestCase,
  pick: number,
  { resources, requests }: Pick<CaseContext, "resources" | "requests">,
): TestCase {
  const { operation, shape } = testCase;
  const { body } = testCase.value;
  if (!isNode(body)) return testCase;
  const known = Object.keys(body).flatMap((name) => {
    const id = resources.refer(operation, name, pick);
    return id === undefined ? [] : [[name, id] as const];
  });
  const value = { ...testCase.value, body: { ...body, ...Object.fromEntries(known) } };
  const isBetter = known.length > 0 && requests.find(shape.schema, value) === undefined;
  return isBetter ? { ...testCase, value } : testCase;
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

/** Removes optional parameters: an idempotency key would create less. */
export function withoutOptional(testCase: TestCase): TestCase {
  const required = testCase.operation.parameters.filter((one) => one.required || one.in === "path");
  const parts = Object.entries(testCase.value).map(([part, value]): [string, unknown] => {
    if (part === "body") return [part, value];
    const kept = Object.entries(value as object).filter(([name]) =>
      required.some((one) => one.in === part && one.name === name),
    );
    return [part, Object.fromEntries(kept)];
  });
  return { ...testCase, value: Object.fromEntries(parts) };
}

/** FNV-1a. */
export function toSeed(seed: number, text: string): number {
  let hash = seed ^ 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0;
}

/** Undefined when a required part cannot be made. */
type Requests = fc.Arbitrary<RequestValue> | undefined;

/** The requests made of a shape, with all optional parts and without. */
const made = new WeakMap<RequestShape, Map<boolean, Requests>>();

/** @param full True to include all optional parts. */
function toRequests(shape: RequestShape, view: SchemaView, full: boolean): Requests {
  const known = made.get(shape) ?? new Map<boolean, Requests>();
  made.set(shape, known);
  if (!known.has(full)) known.set(full, makeRequests(shape, view, full));
  return known.get(full);
}

function makeRequests(shape: RequestShape, view: SchemaView, full: boolean): Requests {
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

/** The part of a request that a value is sent in. Characters that not every server accepts there are left out of strings. */
type ValueLocation = "json" | ParameterLocation;

const LETTERS = Array.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
/** Characters that careless stores, logs and pages fail for. Control characters and lone surrogates are not text everywhere. */
const UNUSUAL = Array.from("'\"<>&;%$\\/|éßñøЖ中日한اع😀");
const BY_LOCATION: Readonly<Record<ValueLocation, readonly string[]>> = {
  json: [...LETTERS, ...UNUSUAL],
  query: [...LETTERS, ...UNUSUAL.filter((char) => char !== "|")],
  querystring: [...LETTERS, ...UNUSUAL.filter((char) => char !== "|")],
  path: [...LETTERS, "-", "_"],
  header: [...LETTERS, "-", "_"],
  cookie: [...LETTERS, "-", "_"],
};
/** Length of strings unless the schema requires more. */
const USUAL_LENGTH = 12;

/** Texts of a pattern that are made for one of the required length. */
const MOST_TRIES = 200;

/**
 * Makes random values that a schema allows; the caller has to validate them.
 * @param full True to give values all optional parts.
 * @returns undefined when none can be made.
 */
function toValues(
  schema: Schema,
  view: SchemaView,
  { location, full }: { readonly location: ValueLocation; readonly full: boolean },
): fc.Arbitrary<unknown> | undefined {
  return createValues({
    ...view,
    leaves: {
      names: fc.stringMatching(/^[a-z]{1,8}$/),
      strings: (flat) => toStrings(flat, location),
      numbers: (flat, _name, isInteger) => (isInteger ? toIntegers(flat) : toNumbers(flat)),
    },
    examples: 1 / 3,
    optional: full ? 1 : 0.5,
    variety: location === "json" ? "json" : "text",
  })(schema);
}

/** Makes strings of a schema by its format, pattern and lengths; undefined when no string can be made of its pattern. */
function toStrings(
  { format = "", pattern, minLength = 0, maxLength }: FlatSchema,
  location: ValueLocation,
): fc.Arbitrary<string> | undefined {
  // A pattern that cannot be read restricts nothing.
  const readable = pattern === undefined ? undefined : toUnicodePattern(pattern);
  if (readable !== undefined) {
    try {
      const strings = fc.stringMatching(new RegExp(readable, "u"), { size: "small" });
      return strings.filter(createPatientFit(createFit(undefined, minLength, maxLength ?? Infinity)));
    } catch {
      return undefined;
    }
  }
  const formatted = FORMATS.get(format);
  if (formatted !== undefined) return formatted;
  // Many servers take an empty text in a URL or header for an absent one.
  const min = location === "json" ? minLength : Math.max(1, minLength);
  const max = Math.max(min, Math.min(maxLength ?? Infinity, min + USUAL_LENGTH));
  const of = (characters: readonly string[]) =>
    fc.array(fc.constantFrom(...characters), { minLength: min, maxLength: max }).map((list) => list.join(""));
  return fc.oneof(of(LETTERS), of(BY_LOCATION[location]));
}

/** Accepts any text after many that do not fit: a schema may allow no text, or hardly any that its pattern makes. */
function createPatientFit(fits: (text: string) => boolean): (text: string) => boolean {
  let left = MOST_TRIES;
  return (text) => {
    const isAccepted = left === 0 || fits(text);
    left = isAccepted ? MOST_TRIES : left - 1;
    return isAccepted;
  };
}

function toIntegers(flat: FlatSchema): fc.Arbitrary<number> | undefined {
  const { min, max } = toIntegerRange(flat);
  const step = flat.multipleOf ?? 1;
  const [low, high] = [Math.ceil(min / step), Math.floor(max / step)];
  if (low > high) return undefined;
  const near = fc.integer({ min: Math.max(low, -1000), max: Math.max(low, Math.min(high, 1000)) });
  const all = fc.integer({ min: low, max: high });
  return (Math.max(low, -1000) <= high ? fc.oneof(near, all) : all).map((count) => count * step);
}

/** With two decimals where the schema leaves it open, as prices and measures have. */
function toNumbers(flat: FlatSchema): fc.Arbitrary<number> | undefined {
  const { minimum = -1e6, maximum = Math.max(1e6, minimum), multipleOf: step } = flat;
  const least = Math.max(minimum, flat.exclusiveMinimum ?? -Infinity);
  const most = Math.min(maximum, flat.exclusiveMaximum ?? Infinity);
  if (step !== undefined) {
    const min = Math.ceil(least / step);
    const max = Math.max(min, Math.floor(most / step));
    return fc.integer({ min, max }).map((count) => Number((count * step).toPrecision(12)));
  }
  const [low, high] = [Math.ceil(least * 100), Math.floor(most * 100)];
  if (low > high) return fc.double({ min: least, max: most, noNaN: true });
  return fc.integer({ min: low, max: high }).map((hundredths) => hundredths / 100);
}
