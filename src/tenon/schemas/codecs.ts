import { check, isMembers, isObject, type Rules, Run } from "./run.js";
import { findProblems, type Issue, type Validated, type Validator } from "./schema.js";

/** One conversion of a value, in one direction. */
interface Way {
  readonly isEncoding: boolean;
  readonly path: Issue["path"];
  /** Problems of values that cannot be converted exactly. */
  readonly issues: Issue[];
}

/** Converts a value and the values in it. Returns the same value if nothing changes. */
export type Conversion = (value: unknown, way: Way) => unknown;

/** Key of a codec's conversion, which is made when it is first needed, because schemas may refer to each other. */
const CONVERSION = Symbol("conversion");

/**
 * Converts values of a schema between JSON and the types of JavaScript, without loss. It implements Standard Schema: `Json` is its
 * input, `Value` its output.
 * @example
 * const codec: Codec<{ readonly soldAt: string }, { readonly soldAt: Date }> = codecs.SaleCodec;
 * const sale = codec.decode({ soldAt: "2026-11-24T10:00:00Z" });
 * if (!sale.issues) console.log(sale.value.soldAt.getTime(), codec.encode(sale.value));
 */
export interface Codec<Json, Value> {
  readonly "~standard": Validator<Json, Value>["~standard"];
  readonly [CONVERSION]: () => Conversion;
  /** Validates JSON and converts it. A value that has no exact counterpart is an issue. */
  readonly decode: (json: unknown) => Validated<Value>;
  /** Converts a value to JSON and validates that. A value that JSON cannot represent exactly is an issue. */
  readonly encode: (value: Value) => Validated<Json>;
}

/** Creates a codec. The generated `schemas.ts` has one for each schema with a converted format. */
export function codec<Json, Value>(
  validator: Validator<unknown>,
  makeConversion: () => Conversion,
): Codec<Json, Value> {
  let conversion: Conversion | undefined;
  const getConversion = () => (conversion ??= makeConversion());
  const convert = (value: unknown, isEncoding: boolean): Validated<unknown> => {
    const issues: Issue[] = [];
    const converted = getConversion()(value, { isEncoding, path: [], issues });
    return issues.length > 0 ? { issues } : { value: converted };
  };
  const decode = (json: unknown) =>
    unlessTooDeep(() => {
      const result = validator["~standard"].validate(json);
      return result.issues ? result : convert(result.value, false);
    }) as Validated<Value>;
  const encode = (value: Value) =>
    unlessTooDeep(() => {
      const result = convert(value, true);
      if (result.issues) return result;
      const { issues } = validator["~standard"].validate(result.value);
      if (issues) return { issues };
      const path = findForeign(result.value);
      return path ? { issues: [{ path, message: "must be a value of JSON" }] } : result;
    }) as Validated<Json>;
  return {
    "~standard": { version: 1, vendor: "tenon", validate: decode },
    [CONVERSION]: getConversion,
    decode,
    encode,
  };
}

function unlessTooDeep(run: () => Validated<unknown>): Validated<unknown> {
  let result: Validated<unknown> | undefined;
  const problems = findProblems(() => {
    result = run();
    return undefined;
  });
  return result ?? { issues: (problems ?? []).map(({ text }) => ({ path: [], message: text })) };
}

/** Finds a value that JSON does not have, such as a Date in an object that may have any members. */
function findForeign(value: unknown): Issue["path"] | undefined {
  if (isObject(value)) {
    const isPlain =
      Array.isArray(value) ||
      [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
    if (!isPlain) return [];
    for (const [name, member] of Object.entries(value)) {
      const path = member === undefined ? undefined : findForeign(member);
      if (path) return [Array.isArray(value) ? Number(name) : name, ...path];
    }
    return undefined;
  }
  const isJson = value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value);
  return isJson ? undefined : [];
}

const within = (way: Way, key: string | number): Way => ({ ...way, path: [...way.path, key] });

/** The conversion of another codec. */
export const of =
  ({ [CONVERSION]: getConversion }: Pick<Codec<never, unknown>, typeof CONVERSION>): Conversion =>
  (value, way) =>
    getConversion()(value, way);

/**
 * Converts the members of objects.
 * @param others Converts the other members. Default: they stay.
 */
export const members =
  (own: Readonly<Record<string, Conversion>>, others?: Conversion): Conversion =>
  (value, way) => {
    if (!isMembers(value)) return value;
    const entries = Object.entries(value).map(([name, member]) => {
      const convert = Object.hasOwn(own, name) ? own[name] : others;
      const converted = member === undefined ? member : (convert?.(member, within(way, name)) ?? member);
      return [name, converted] as const;
    });
    const isChanged = entries.some(([name, converted]) => converted !== value[name]);
    return isChanged ? Object.fromEntries(entries) : value;
  };

/** Converts the items of arrays, the first ones by their position. */
export const list =
  (others?: Conversion, ...first: readonly (Conversion | undefined)[]): Conversion =>
  (value, way) => {
    if (!Array.isArray(value)) return value;
    const items: readonly unknown[] = value;
    const converted = items.map((item, index) => {
      const convert = index < first.length ? first[index] : others;
      return convert?.(item, within(way, index)) ?? item;
    });
    return converted.some((item, index) => item !== items[index]) ? converted : items;
  };

/** Applies several conversions to the same value: each converts other parts of it. */
export const both =
  (...conversions: readonly Conversion[]): Conversion =>
  (value, way) =>
    conversions.map((convert) => convert(value, way)).reduce((one, other) => merge(value, one, other));

function merge(value: unknown, one: unknown, other: unknown): unknown {
  if (one === value) return other;
  if (other === value || !isObject(value)) return one;
  const mergeMember = (key: string, member: unknown): unknown =>
    merge(member, (one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]);
  if (Array.isArray(value)) return value.map((item, index) => mergeMember(String(index), item));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mergeMember(key, member)]));
}

/**
 * Converts by the first alternative that the JSON matches. A value is encoded only if decoding its JSON takes the same alternative.
 */
export const either =
  (...alternatives: readonly (readonly [rules: Rules, convert?: Conversion])[]): Conversion =>
  (value, way) => {
    const choose = (json: unknown) => {
      const run = new Run();
      return alternatives.findIndex(([rules]) => check(rules, json, run) === undefined);
    };
    if (!way.isEncoding) return alternatives[choose(value)]?.[1]?.(value, way) ?? value;
    const tried = alternatives.map(([, convert]) => {
      const issues: Issue[] = [];
      return { json: convert?.(value, { ...way, issues }) ?? value, issues, converts: convert !== undefined };
    });
    const chosen = tried.find(({ json, issues }, index) => issues.length === 0 && choose(json) === index);
    if (chosen) return chosen.json;
    const [only, ...further] = tried.filter(({ converts }) => converts);
    if (only && further.length === 0 && only.issues.length > 0) way.issues.push(...only.issues);
    else way.issues.push({ path: way.path, message: "must be a value of one alternative" });
    return value;
  };

/** The counterpart of a format in JavaScript. */
interface Kind<Json, Value> {
  /** Name in messages: `a Date`. */
  readonly name: string;
  readonly isJson: (value: unknown) => value is Json;
  readonly isValue: (value: unknown) => value is Value;
  /** Returns undefined for a value that has no exact counterpart. */
  readonly decode: (json: Json) => Value | undefined;
  readonly encode: (value: Value) => Json | undefined;
  /** Expectations of both directions. */
  readonly limits: readonly [decode: string, encode: string];
}

function scalar<Json, Value>({
  name,
  isJson,
  isValue,
  decode,
  encode,
  limits,
}: Kind<Json, Value>): Conversion {
  return (value, { isEncoding, path, issues }) => {
    const refuse = (message: string) => {
      issues.push({ path, message });
      return value;
    };
    if (!isEncoding) return isJson(value) ? (decode(value) ?? refuse(limits[0])) : value;
    if (isValue(value)) return encode(value) ?? refuse(limits[1]);
    return isJson(value) ? refuse(`must be ${name}`) : value;
  };
}

const isText = (value: unknown): value is string => typeof value === "string";
const isBigInt = (value: unknown): value is bigint => typeof value === "bigint";

/** A number as `bigint`. */
export const asBigInt = (): Conversion =>
  scalar({
    name: "a bigint",
    isJson: (value): value is number => typeof value === "number",
    isValue: isBigInt,
    decode: (json) => (Number.isSafeInteger(json) ? BigInt(json) : undefined),
    encode: (value) => (Number.isSafeInteger(Number(value)) ? Number(value) : undefined),
    limits: [SAFE, SAFE],
  });
const SAFE = `must be from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

/** Digits in a text as `bigint`. */
export const textAsBigInt = (): Conversion =>
  scalar({
    name: "a bigint",
    isJson: isText,
    isValue: isBigInt,
    decode: (json) => (/^(?:0|-?[1-9]\d{0,18})$/.test(json) ? to64(BigInt(json)) : undefined),
    encode: (value) => to64(value)?.toString(),
    limits: [
      "must be an integer of 64 bits in digits, without leading zeros",
      "must be an integer of 64 bits",
    ],
  });
const to64 = (value: bigint) => (BigInt.asIntN(64, value) === value ? value : undefined);

/** A `date-time` as `Date`, which has milliseconds. */
export const asDate = (): Conversion =>
  scalar({
    name: "a Date",
    isJson: isText,
    isValue: (value): value is Date => value instanceof Date,
    decode: (json) => {
      const [, start = "", fraction = "", offset = ""] = /^(.{19})(?:\.(\d+))?(.+)$/.exec(json) ?? [];
      if (start.endsWith("60") || /[1-9]/.test(fraction.slice(3))) return undefined;
      const date = new Date(`${start}.${fraction.slice(0, 3).padEnd(3, "0")}${offset}`.toUpperCase());
      return toIsoText(date) === undefined ? undefined : date;
    },
    encode: toIsoText,
    limits: [
      "must be exact as a Date: with milliseconds at most, no leap second, and a year of four digits in UTC",
      "must be a valid Date with a year of four digits",
    ],
  });

/** Writes no zeros at the end, as `Temporal.Instant` does. */
function toIsoText(date: Date): string | undefined {
  if (Number.isNaN(date.getTime())) return undefined;
  return toFourDigits(date.toISOString())?.replace(/\.?0*Z$/, "Z");
}

/** Years beyond 9999 have a sign, which RFC 3339 does not allow. */
const toFourDigits = (text: string) => (/^\d/.test(text) ? text : undefined);

interface TemporalValue {
  toString(): string;
}

interface TemporalClass {
  from(text: string): TemporalValue;
  [Symbol.hasInstance](value: unknown): boolean;
}

/** @throws {TypeError} if the platform has no `Temporal`. */
function getTemporal(name: "Instant" | "PlainDate"): TemporalClass {
  const { Temporal } = globalThis as { readonly Temporal?: Readonly<Record<typeof name, TemporalClass>> };
  const found = Temporal?.[name];
  if (found === undefined) throw new TypeError("This platform has no Temporal: load a polyfill before");
  return found;
}

function ofTemporal(name: "Instant" | "PlainDate", limits: Kind<never, never>["limits"]): Conversion {
  const create = getTemporal(name);
  return scalar({
    name: `a Temporal.${name}`,
    isJson: isText,
    isValue: (value): value is TemporalValue => value instanceof create,
    decode: (json) => {
      // Temporal takes a leap second for the one before.
      if (json.slice(17, 19) === "60") return undefined;
      try {
        const value = create.from(json.toUpperCase());
        return toFourDigits(value.toString()) === undefined ? undefined : value;
      } catch {
        return undefined;
      }
    },
    encode: (value) => toFourDigits(value.toString()),
    limits,
  });
}

/** A `date-time` as `Temporal.Instant`, which has nanoseconds. */
export const asInstant = (): Conversion =>
  ofTemporal("Instant", [
    "must be exact as a Temporal.Instant: with nanoseconds at most, no leap second, and a year of four digits in UTC",
    "must have a year of four digits",
  ]);

/** A `date` as `Temporal.PlainDate`. */
export const asPlainDate = (): Conversion =>
  ofTemporal("PlainDate", ["must be a date", "must have a year of four digits"]);
