import { getDeepKeys } from "./deep-object.js";
import { isObjectType } from "./plain-values.js";
import type { Pairs } from "./query.js";
import { isExplodedObject, type StyledValue } from "./styled-value.js";

/** Which names on the wire belong to the values of a query or form. */
export interface StyledNames {
  /** The value that a name is declared for: `filter` for `filter[age]`. */
  readonly findOwner: (name: string) => StyledValue | undefined;
  /** Whether one of the values takes what nobody declares: an exploded object with additional properties. */
  readonly takesUndeclared: boolean;
}

export function createStyledNames(values: readonly StyledValue[]): StyledNames {
  const owners = new Map(values.flatMap((value) => toNames(value).map((name) => [name, value] as const)));
  const deepObjects = values.filter(({ style }) => style === "deepObject");
  return {
    findOwner: (name) =>
      owners.get(name) ?? deepObjects.find((value) => getDeepKeys(name, value.name) !== undefined),
    takesUndeclared: values.some(
      (value) =>
        isExplodedObject(value) && isObjectType(value.type) && value.type.additionalProperties !== undefined,
    ),
  };
}

function toNames(value: StyledValue): readonly string[] {
  const { name, type } = value;
  return isExplodedObject(value) && isObjectType(type) ? Object.keys(type.properties ?? {}) : [name];
}

const NO_NAMES: readonly string[] = [];

/** The names that nobody declares, without those that are known otherwise. */
export function findUndeclared(
  pairs: Pairs,
  { findOwner }: StyledNames,
  known: ReadonlySet<string> = NOTHING_KNOWN,
): readonly string[] {
  let found: string[] | undefined;
  for (const name of pairs.keys())
    if (findOwner(name) === undefined && !known.has(name)) (found ??= []).push(name);
  return found ?? NO_NAMES;
}

const NOTHING_KNOWN: ReadonlySet<string> = new Set();
