import { getOwn, isNode } from "tenon/core/document";
import { type MediaType, toRequestKind } from "tenon/core/model";
import { isSame, type Schema, typeOf } from "tenon/core/schema";
import { type FlatSchema, flatten, isOfType, merge, type SchemaView } from "../../values/index.js";
import { isJsonText } from "tenon/client/internal";
import { type Path, type RequestValue, type TestCase } from "../messages/index.js";

/** A part of a value, and its schema. */
export interface Site {
  readonly path: Path;
  readonly schema: FlatSchema;
  readonly value: unknown;
}

/** Longer paths are not followed. */
const MAX_LENGTH = 7;

/** Lists every part of a value, the whole first. The first item of an array stands for all. */
export function* findSites(
  schema: Schema,
  value: unknown,
  view: SchemaView,
  path: Path = [],
): Generator<Site> {
  const flat = choose(schema, value, view);
  yield { path, schema: flat, value };
  if (path.length >= MAX_LENGTH) return;
  if (Array.isArray(value) && value.length > 0) {
    const item = flat.prefixItems?.[0] ?? flat.items;
    if (item !== undefined) yield* findSites(item, value[0], view, [...path, 0]);
  }
  if (!isNode(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const { properties = {}, additionalProperties } = flat;
    const declared = getOwn(properties, name) ?? additionalProperties;
    if (declared !== undefined) yield* findSites(declared, member, view, [...path, name]);
  }
}

/** Replaces the part of a value at a path; undefined removes it. */
export function replaceAt(value: unknown, path: Path, replacement: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return replacement;
  if (Array.isArray(value)) {
    const inner = replaceAt(value[key as number], rest, replacement);
    return inner === undefined
      ? value.filter((_, index) => index !== key)
      : value.map((item: unknown, index) => (index === key ? inner : item));
  }
  const members = isNode(value) ? value : {};
  const inner = replaceAt(members[key], rest, replacement);
  const others = Object.entries(members).filter(([name]) => name !== key);
  return Object.fromEntries(inner === undefined ? others : [...others, [String(key), inner]]);
}

export function getAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (node, key) =>
      typeof node === "object" && node !== null ? (node as Record<string, unknown>)[key] : undefined,
    value,
  );
}

/** Flattens a schema, with the alternatives that a value matches merged in. */
function choose(schema: Schema, value: unknown, view: SchemaView): FlatSchema {
  let flat = flatten(schema, view);
  for (let rounds = 0; flat.choices !== undefined && rounds < 8; rounds += 1) {
    const { choices, ...own } = flat;
    flat = choices.reduce<FlatSchema>((merged, list) => {
      const options = list.map((option) => flatten(option, view));
      const chosen = options.find((option) => fits(option, value, view));
      return chosen === undefined ? merged : merge(merged, chosen);
    }, own);
  }
  return flat;
}

/** Tests whether a value resembles those of a schema: in its type, its required properties and its enums. */
function fits(flat: FlatSchema, value: unknown, view: SchemaView): boolean {
  if (flat.never || !(flat.type ?? [typeOf(value)]).some((type) => isOfType(value, type))) return false;
  if (flat.enum !== undefined && !flat.enum.some((one) => isSame(one, value))) return false;
  if (!isNode(value)) return true;
  const { properties = {}, required = [] } = flat;
  if (!required.every((name) => Object.hasOwn(value, name))) return false;
  return Object.entries(properties).every(([name, property]) => {
    if (!Object.hasOwn(value, name)) return true;
    const { enum: values, type } = flatten(property, view);
    const member = value[name];
    return (
      (values?.some((one) => isSame(one, member)) ?? true) &&
      (type?.some((one) => isOfType(member, one)) ?? true)
    );
  });
}

/** Tests whether the value at a path is sent as text, so that 1 and "1" are the same. */
export function isTextAt(
  [location, name]: Path,
  { shape, operation }: Pick<TestCase, "shape" | "operation">,
): boolean {
  if (location === "body") return shape.mediaType === undefined || !isJson(shape.mediaType);
  const parameter = operation.parameters.find((one) => one.in === location && one.name === name);
  return parameter === undefined || !isJsonText(parameter);
}

/** Tests whether a body is JSON, or items that are. */
export function isJson(mediaType: MediaType): boolean {
  if (mediaType.items?.parts) return false;
  return ["json", "items"].includes(toRequestKind(mediaType));
}

/**
 * Removes parameters without anything to send: an empty list or object is an absent one (RFC 6570, section 2.3), and of
 * `deepObject`, also an object of such objects. A path needs all its parameters.
 */
export function toSent(value: RequestValue, of: Pick<TestCase, "shape" | "operation">): RequestValue {
  const sections = Object.entries(value).map(([location, members]) => {
    if (location === "body" || location === "path") return [location, members] as const;
    const sent = Object.entries(members as object).filter(
      ([name, member]) => !isTextAt([location, name], of) || !isEmpty(member),
    );
    return [location, Object.fromEntries(sent)] as const;
  });
  return Object.fromEntries(sections);
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isNode(value) && Object.values(value).every(isEmpty);
}
