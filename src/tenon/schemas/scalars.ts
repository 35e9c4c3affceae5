import { isSame, type JsonType } from "../core/schema/json-value.js";
import { toRegExp } from "../core/schema/pattern.js";
import { isMultiple } from "../core/validation/multiple-of.js";
import { check, fail, isObject, type Keyword } from "./run.js";

/** Tests of the types, which are those of JSON: numbers are finite. */
const TYPES: Readonly<Record<JsonType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  integer: (value) => Number.isInteger(value),
  number: (value) => Number.isFinite(value),
  boolean: (value) => typeof value === "boolean",
  object: (value) => isObject(value) && !Array.isArray(value),
  array: (value) => Array.isArray(value),
  null: (value) => value === null,
};

export function type(...types: readonly JsonType[]): Keyword {
  const tests = types.map((one) => TYPES[one]);
  return {
    check: (value) =>
      tests.some((test) => test(value)) ? undefined : fail("type", { params: { type: types } }),
  };
}

function enumeration(...allowedValues: readonly unknown[]): Keyword {
  const scalars = new Set(allowedValues.filter((value) => !isObject(value)));
  const others = allowedValues.filter(isObject);
  const isAllowed = (value: unknown) =>
    isObject(value) ? others.some((other) => isSame(other, value)) : scalars.has(value);
  return {
    check: (value) => (isAllowed(value) ? undefined : fail("enum", { params: { allowedValues } })),
  };
}
export { enumeration as enum };

function ofNumber(
  keyword: string,
  schema: number,
  isValid: (value: number) => boolean,
  message = "",
): Keyword {
  return {
    check: (value) =>
      !Number.isFinite(value) || isValid(value as number) ? undefined : fail(keyword, { message, schema }),
  };
}

export const maximum = (limit: number): Keyword =>
  ofNumber("maximum", limit, (value) => value <= limit, `must be at most ${limit}`);

export const minimum = (limit: number): Keyword =>
  ofNumber("minimum", limit, (value) => value >= limit, `must be at least ${limit}`);

/** Bounds of integers that are exact in every JSON parser (RFC 7493, section 2.2). */
export function safeInteger(): Keyword {
  const bounds = [maximum(Number.MAX_SAFE_INTEGER), minimum(Number.MIN_SAFE_INTEGER)];
  return { check: (value, run) => check(bounds, value, run) };
}

export const exclusiveMaximum = (limit: number): Keyword =>
  ofNumber("exclusiveMaximum", limit, (value) => value < limit, `must be less than ${limit}`);

export const exclusiveMinimum = (limit: number): Keyword =>
  ofNumber("exclusiveMinimum", limit, (value) => value > limit, `must be more than ${limit}`);

export const multipleOf = (divisor: number): Keyword =>
  ofNumber("multipleOf", divisor, (value) => isMultiple(value, divisor));

function ofText(keyword: string, isValid: (text: string) => boolean, message: string): Keyword {
  return {
    check: (value) => (typeof value !== "string" || isValid(value) ? undefined : fail(keyword, { message })),
  };
}

/** Counts characters as JSON Schema does: a surrogate pair is one. */
function countCharacters(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    if ((text.codePointAt(index) ?? 0) > 0xffff) index += 1;
    count += 1;
  }
  return count;
}

export const maxLength = (limit: number): Keyword =>
  ofText(
    "maxLength",
    (text) => text.length <= limit || countCharacters(text) <= limit,
    `must not have more than ${limit} characters`,
  );

export const minLength = (limit: number): Keyword =>
  ofText(
    "minLength",
    (text) => countCharacters(text) >= limit,
    `must not have fewer than ${limit} characters`,
  );

export function pattern(source: string): Keyword {
  const regExp = toRegExp(source);
  return ofText("pattern", (text) => regExp.test(text), `must match pattern "${source}"`);
}

/** @param name The contract's name of the format. */
export const ofTextFormat = (name: string, isValid: (text: string) => boolean): Keyword =>
  ofText("format", isValid, `must match format "${name}"`);

export const ofNumberFormat = (name: string, isValid: (value: number) => boolean): Keyword =>
  ofNumber("format", Number.NaN, isValid, `must match format "${name}"`);
