import { readDeepObject } from "./deep-object.js";
import type { ObjectType } from "../operation.js";
import { findArrayType, getPropertyType, isObjectType, type WireValue } from "./plain-values.js";
import type { Pairs } from "./query.js";
import { readText } from "./style-text.js";
import type { StyledValue } from "./styled-value.js";
import { type Decode, getOnly, readValues } from "./style-values.js";

export interface PairsContext {
  readonly decode: Decode;
  /** Names that nobody declares: an exploded object takes them when it has properties that it does not declare. */
  readonly undeclared: readonly string[];
}

/**
 * Takes a parameter out of a query or of cookies, where its values have its own name or those of its properties.
 * @returns undefined when the parameter is absent.
 * @throws {ValueProblem} when the values are not in the parameter's style.
 */
export function readPairs(pairs: Pairs, value: StyledValue, context: PairsContext): WireValue | undefined {
  const { name, style, explode, type } = value;
  if (style === "deepObject") return readDeepObject(pairs, { name, type }, context.decode);
  if (explode && isObjectType(type)) return readExplodedObject(pairs, type, context);
  const texts = pairs.get(name);
  if (texts === undefined) return undefined;
  if (explode && findArrayType(type) !== undefined) return readValues(texts, type, context);
  return readText(getOnly(texts, type), value, context.decode);
}

/** `R=100&G=200`. A property that is an array comes once for each of its items. */
export function readExplodedObject(
  pairs: Pairs,
  type: ObjectType,
  { decode, undeclared }: PairsContext,
): ReadonlyMap<string, WireValue> | undefined {
  const names = [...Object.keys(type.properties ?? {}), ...undeclared];
  const properties = names.flatMap((name): [string, WireValue][] => {
    const texts = pairs.get(name);
    const propertyType = getPropertyType(type, name);
    if (texts === undefined || propertyType === undefined) return [];
    return [[name, readValues(texts, propertyType, { decode, path: [name] })]];
  });
  return properties.length === 0 ? undefined : new Map(properties);
}
