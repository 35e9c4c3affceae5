import { findJsonProblem } from "../body/json-scan.js";
import type { ArrayType, ObjectType, PlainType, ValueType } from "../operation.js";
import { ValueProblem } from "./value-problem.js";

/** A value as it came, taken apart and decoded but without types: texts, lists, and properties by name. */
export type WireValue = string | readonly WireValue[] | ReadonlyMap<string, WireValue>;

interface PlainForm {
  /** Completes `must be …`. */
  readonly name: string;
  readonly pattern: RegExp;
  readonly read: (text: string) => unknown;
  /** Whether what was read is what was written. */
  readonly keeps?: (value: unknown) => boolean;
  /** Completes `must be …` for a value that is not kept. */
  readonly range?: string;
}

/** How a plain value is written. JavaScript's own conversion also takes `0x10`, `1e1`, ` 5`, `Infinity`, and rounds. */
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
    keeps: Number.isFinite,
    range: "a number that a double can hold",
  },
  string: { name: "a string", pattern: /^/, read: (text) => text },
};

/** From the type with the fewest forms to the one that every text is a form of. */
const ORDER: readonly PlainType[] = ["null", "boolean", "integer", "number", "string"];

export function isArrayType(type: ValueType): type is ArrayType {
  return typeof type === "object" && "items" in type;
}

export function isObjectType(type: ValueType): type is ObjectType {
  return typeof type === "object" && !Array.isArray(type) && !("items" in type);
}

/** The array among the alternatives of a type, if there is one. */
export function findArrayType(type: ValueType): ArrayType | undefined {
  return toAlternatives(type).find(isArrayType);
}

/** The object among the alternatives of a type, if there is one. */
export function findObjectType(type: ValueType): ObjectType | undefined {
  return toAlternatives(type).find(isObjectType);
}

function toAlternatives(type: ValueType): readonly ValueType[] {
  return Array.isArray(type) ? (type as readonly ValueType[]) : [type];
}

function toPlainTypes(type: ValueType): readonly PlainType[] {
  const alternatives = toAlternatives(type);
  return ORDER.filter((plain) => alternatives.includes(plain));
}

/** The type of a property, declared or not; undefined when the object has none of this name. */
export function getPropertyType(
  { properties = {}, additionalProperties }: ObjectType,
  name: string,
): ValueType | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
}

/** What a value must be, completing `must be …`: `null or an integer in plain decimal digits`. */
export function describeType(type: ValueType): string {
  return [
    ...(type === "json" ? ["JSON"] : []),
    ...toPlainTypes(type).map((plain) => FORMS[plain].name),
    ...(findArrayType(type) ? ["an array"] : []),
    ...(findObjectType(type) ? ["an object"] : []),
  ].join(" or ");
}

/**
 * Gives texts their types, at every depth: `["1", "2"]` as `{ items: "integer" }` becomes `[1, 2]`.
 * Objects have no prototype, so that no name means anything but itself.
 * @throws {ValueProblem} for the first text that is no form of its type, or a property that there is not.
 */
export function toPlainValue(wire: WireValue, type: ValueType, path: readonly string[] = []): unknown {
  if (typeof wire === "string") return toPlain(wire, type, path);
  if (wire instanceof Map) return toObject(wire as ReadonlyMap<string, WireValue>, type, path);
  const itemType = findArrayType(type)?.items ?? "string";
  return (wire as readonly WireValue[]).map((item, index) =>
    toPlainValue(item, itemType, [...path, String(index)]),
  );
}

function toPlain(text: string, type: ValueType, path: readonly string[]): unknown {
  assertText(text, path);
  if (type === "json") return parseJson(text, path);
  const value = findPlain(text, type);
  if (value !== undefined) return value;
  const array = findArrayType(type);
  // One text may be an array of one, and an empty one an array of none.
  if (array) return text === "" ? [] : [toPlain(text, array.items, [...path, "0"])];
  const [only, ...others] = toPlainTypes(type);
  const { pattern, range } = FORMS[only ?? "string"];
  const rounded = others.length === 0 && range !== undefined && pattern.test(text);
  throw new ValueProblem(`must be ${rounded ? range : describeType(type)}`, path);
}

/**
 * Makes a reader for texts of one plain type, which is what nearly every parameter has.
 * @returns undefined for a text that {@link toPlainValue} has something to say about.
 */
export function createPlainReader(type: PlainType): (text: string) => unknown {
  const { pattern, read, keeps } = FORMS[type];
  return (text) => {
    if (!pattern.test(text) || text.includes("\0")) return undefined;
    const value = read(text);
    return keeps?.(value) === false ? undefined : value;
  };
}

/** The text as the first type that it is a form of; undefined when it is a form of none. */
function findPlain(text: string, type: ValueType): unknown {
  for (const { pattern, read, keeps } of toPlainTypes(type).map((plain) => FORMS[plain])) {
    if (!pattern.test(text)) continue;
    const value = read(text);
    if (keeps?.(value) !== false) return value;
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
    object[name] = toPlainValue(wire, propertyType, [...path, name]);
  }
  return object;
}

/** No store keeps NUL unchanged, and some programs end a text there. */
export function assertText(text: string, path: readonly string[]): void {
  if (text.includes("\0")) throw new ValueProblem("has a NUL character", path);
}
