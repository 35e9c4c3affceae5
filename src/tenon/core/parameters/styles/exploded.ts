import { isNode } from "../../document/node.js";
import type { Pairs } from "../pairs.js";
import { findArrayType, getPropertyType, type WireValue } from "../text-value.js";
import { isObjectType, type ObjectType } from "../value-type.js";
import {
  type Decode,
  formatName,
  type FormattedValue,
  formatValues,
  type ParsedValue,
  parseValues,
  type TextPair,
} from "./parts.js";

/**
 * Parses `color=a&color=b` and `R=100&G=200`: the exploded `form` and delimited styles, whose values have the name of the parameter
 * or of its properties.
 * @param undeclared Undeclared names; an object that allows undeclared properties takes them.
 * @returns undefined if the parameter is absent.
 */
export function parseExploded(
  pairs: Pairs,
  { name, type }: ParsedValue,
  decode: Decode,
  undeclared: readonly string[],
): WireValue | undefined {
  if (isObjectType(type)) return parseExplodedObject(pairs, type, decode, undeclared);
  const texts = pairs.get(name);
  return texts && parseValues(texts, type, decode);
}

/** Parses an exploded object. A property that is an array is repeated for each item. */
function parseExplodedObject(
  pairs: Pairs,
  type: ObjectType,
  decode: Decode,
  undeclared: readonly string[],
): ReadonlyMap<string, WireValue> | undefined {
  const names = [...Object.keys(type.properties ?? {}), ...undeclared];
  const properties = names.flatMap((name): [string, WireValue][] => {
    const texts = pairs.get(name);
    const propertyType = getPropertyType(type, name);
    if (texts === undefined || propertyType === undefined) return [];
    return [[name, parseValues(texts, propertyType, decode, [name])]];
  });
  return properties.length === 0 ? undefined : new Map(properties);
}

export function formatExploded(parameter: FormattedValue, value: unknown): readonly TextPair[] {
  if (!isNode(value)) return formatValues(parameter, formatName(parameter, parameter.name), value);
  return Object.entries(value).flatMap(([property, part]) =>
    part === undefined ? [] : formatValues(parameter, formatName(parameter, property), part),
  );
}

/** Tests whether a parameter is an exploded array or object. */
export function isExploded({ explode, type }: ParsedValue): boolean {
  return explode && (isObjectType(type) || findArrayType(type) !== undefined);
}
