import { findJsonProblem, isExactNumber } from "../json/find-json-problem.js";
import {
  type ArrayType,
  findJsonType,
  isArrayType,
  isObjectType,
  type ObjectType,
  PLAIN_TYPES,
  type PlainType,
  type ValueType,
} from "./value-type.js";
import { ValueProblem } from "./value-problem.js";

/** A received value, split and decoded but not yet typed: texts, lists, and properties by name. */
export type WireValue = string | readonly WireValue[] | ReadonlyMap<string, WireValue>;

interface PlainForm {
  /** Completes `must be …`. */
  readonly name: string;
  readonly pattern: RegExp;
  readonly read: (text: string) => unknown;
  /** Tests whether the conversion was exact. */
  readonly keeps?: (value: unknown, text: string) => boolean;
  /** Completes `must be …` for a value that cannot be represented exactly. */
  readonly range?: string;
}

/** Formats of plain values. JavaScript's own conversion also accepts `0x10`, `1e1`, ` 5` and `Infinity`, and rounds. */
const FORMS: Readonly<Record<PlainType, PlainForm>> = {
  null: { name: "null", pattern: /^null$/, read: () => null },
  boolean: { name: "true or false", pattern: /^(true|false)$/, read: (text) => text === "true" },
  integer: {
    name: "an integer in plain decimal digits",
    pattern: /^(0|-?[1-9]\d*)$/,
    read: Number,
    keeps: Number.isSafeInteger,
    range: `from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`,
  },
  number: {
    name: "a decimal number",
    pattern: /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i,
    read: Number,
    keeps: (_, text) => isExactNumber(text),
    range: "a number that a double can hold",
  },
  string: { name: "a string", pattern: /^/, read: (text) => text },
};

/** Finds the array among the alternatives of a type. */
export function findArrayType(type: ValueType): ArrayType | undefined {
  return toAlternatives(type).find(isArrayType);
}

/** Finds the object among the alternatives of a type. */
export function findObjectType(type: ValueType): ObjectType | undefined {
  return toAlternatives(type).find(isObjectType);
}

function toAlternatives(type: ValueType): readonly ValueType[] {
  return Array.isArray(type) ? (type as readonly ValueType[]) : [type];
}

function toPlainTypes(type: ValueType): readonly PlainType[] {
  const alternatives = toAlternatives(type);
  return PLAIN_TYPES.filter((plain) => alternatives.includes(plain));
}

/** Returns the type of a property, declared or not; undefined if the object does not allow this name. */
export function getPropertyType(
  { properties = {}, additionalProperties }: ObjectType,
  name: string,
): ValueType | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
}

/** Describes a type; completes `must be …`: `null or an integer in plain decimal digits`. */
export function describeType(type: ValueType): string {
  return [
    ...(type === "json" ? ["JSON"] : []),
    ...toPlainTypes(type).map((plain) => FORMS[plain].name),
    ...(findArrayType(type) ? ["an array"] : []),
    ...(findObjectType(type) ? ["an object"] : []),
    ...(findJsonType(type)?.json.map((one) => `a JSON ${one}`) ?? []),
  ].join(" or ");
}

/**
 * Converts texts to their types, at every depth: `["1", "2"]` as `{ items: "integer" }` becomes `[1, 2]`.
 * Objects have no prototype, so that every name can be a property.
 * @throws {ValueProblem} for the first text that does not fit its type, or an unknown property.
 */
export function toTypedValue(wire: WireValue, type: ValueType, path: readonly string[] = []): unknown {
  if (typeof wire === "string") return toPlainValue(wire, type, path);
  if (wire instanceof Map) return toObject(wire as ReadonlyMap<string, WireValue>, type, path);
  const itemType = findArrayType(type)?.items ?? "string";
  return (wire as readonly WireValue[]).map((item, index) =>
    toTypedValue(item, itemType, [...path, String(index)]),
  );
}

function toPlainValue(text: string, type: ValueType, path: readonly string[]): unknown {
  assertText(text, path);
  if (type === "json" || startsJson(text, type)) return parseJson(text, path);
  const value = findPlain(text, type);
  if (value !== undefined) return value;
  const array = findArrayType(type);
  // A single text may be an array with one item, and an empty text an empty array.
  if (array) return text === "" ? [] : [toPlainValue(text, array.items, [...path, "0"])];
  const [only, ...others] = toPlainTypes(type);
  const { pattern, range } = FORMS[only ?? "string"];
  const isRounded = others.length === 0 && range !== undefined && pattern.test(text);
  throw new ValueProblem(`must be ${isRounded ? range : describeType(type)}`, path);
}

/**
 * Creates a reader for texts of one plain type, which nearly every parameter has.
 * @returns a function that returns undefined for a text that {@link toTypedValue} refuses with a reason.
 */
export function createPlainReader(type: PlainType): (text: string) => unknown {
  const { pattern, read, keeps } = FORMS[type];
  return (text) => {
    if (!pattern.test(text) || text.includes("\0")) return undefined;
    const value = read(text);
    return keeps?.(value, text) === false ? undefined : value;
  };
}

function startsJson(text: string, type: ValueType): boolean {
  const start = text.startsWith("{") ? "object" : text.startsWith("[") ? "array" : undefined;
  return start !== undefined && findJsonType(type)?.json.includes(start) === true;
}

/** Converts a text to the first type that it fits; undefined if it fits none. */
function findPlain(text: string, type: ValueType): unknown {
  for (const { pattern, read, keeps } of toPlainTypes(type).map((plain) => FORMS[plain])) {
    if (!pattern.test(text)) continue;
    const value = read(text);
    if (keeps?.(value, text) !== false) return value;
  }
  return undefined;
}

function parseJson(text: string, path: readonly string[]): unknown {
  const problem = findJsonProblem(text);
  if (problem === undefined) return JSON.parse(text) as unknown;
  throw new ValueProblem(`${problem.what} (character ${problem.index + 1})`, path);
}

function toObject(
  properties: ReadonlyMap<string, WireValue>,
  type: ValueType,
  path: readonly string[],
): unknown {
  const objectType = findObjectType(type);
  const object = Object.create(null) as Record<string, unknown>;
  for (const [name, wire] of properties) {
    assertText(name, path);
    const propertyType = objectType && getPropertyType(objectType, name);
    if (propertyType === undefined) throw new ValueProblem("is unknown", [...path, name]);
    object[name] = toTypedValue(wire, propertyType, [...path, name]);
  }
  return object;
}

/** Refuses NUL: databases do not store it unchanged, and some programs end a text there. */
export function assertText(text: string, path: readonly string[]): void {
  if (text.includes("\0")) throw new ValueProblem("has a NUL character", path);
}
