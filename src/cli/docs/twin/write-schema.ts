import { type Lifecycle, showInstant } from "tenon/core/document";
import type { Schema } from "tenon/core/schema";
import type { SchemaView } from "../../values/index.js";
import { toSchemaId } from "../render/ids.js";
import { listFacts, listValues } from "../render/schema/facts.js";
import { choosePlace, enter, isShown, type Place } from "../render/schema/place.js";
import { findChoosing, isConditional, readShape, type Shape } from "../render/schema/shape.js";
import { isPlainObject } from "../render/schema/tree.js";
import { listTypeParts } from "../render/schema/type-parts.js";
import { toItem, toPlaceLink, toSpan, writeText } from "./blocks.js";

/**
 * Writes a schema: a line with its type and limits, and a list of its members. A component that is not shown within it is a link.
 * @param within Names of the components around it. Default: none.
 */
export function writeSchema(schema: Schema, view: SchemaView, within: readonly string[] = []) {
  const shape = readShape(schema, view);
  const type = isPlainObject(shape) ? [] : listType(shape, view);
  const write = () => {
    const inner = writeInner(schema, shape, view, choosePlace(schema, view, within));
    return [...writeMeanings(shape), ...inner].join("\n").trimEnd();
  };
  const known = lists.get(view) ?? new Map<string, string>();
  lists.set(view, known);
  // A schema with other keywords beside its reference can have other members.
  const isReference = within.length === 0 && Object.keys(schema).join() === "pointer,reference";
  const key = isReference ? schema.reference : undefined;
  const list = (key === undefined ? undefined : known.get(key)) ?? write();
  if (key !== undefined) known.set(key, list);
  return { line: [...type, ...listLimits(shape)].join(", "), list };
}

/** Members of components by reference: many responses have the same body. */
const lists = new WeakMap<SchemaView, Map<string, string>>();

/** A value with a name: a property, a parameter, or a header. */
interface NamedValue {
  /** Markdown of its name. */
  readonly name: string;
  readonly schema: Schema;
  readonly description?: string | undefined;
  /** The mark of a value that is always there. Default: it is optional. */
  readonly required?: string | undefined;
  /** Further facts. Default: none. */
  readonly marks?: readonly string[];
  readonly lifecycle?: Lifecycle | undefined;
  /** Place of its members. Default: it is not within another value. */
  readonly place?: Place;
  /** It is a further schema of a value, whose type is known already. */
  readonly isRule?: boolean;
}

/** Writes a value as an item with what is within it: `- \`limit\` (integer, at most 100): The number of pets.` */
export function writeNamed(value: NamedValue, view: SchemaView): readonly string[] {
  const { name, schema, required, marks = [], lifecycle, place, isRule = false } = value;
  const shape = readShape(schema, view);
  const isOpen = place === undefined || isShown(shape, place);
  const own = place === undefined ? choosePlace(schema, view) : enter(shape, place);
  const inner = [...writeMeanings(shape), ...(isOpen ? writeInner(schema, shape, view, own) : [])];
  const limits = listLimits(shape);
  const isTyped = !isRule || shape.name !== undefined || shape.types.length > 0;
  const facts = [
    ...(isTyped || limits.length + inner.length === 0 ? listType(shape, view) : []),
    ...(required === undefined ? [] : [required]),
    ...marks,
    ...listBadges(lifecycle),
    ...limits,
  ];
  const line = facts.length > 0 ? `${name} (${facts.join(", ")})` : name;
  return toItem(line, writeText(value.description ?? shape.description, 5), inner);
}

/** @param place Of its members. */
function writeInner(schema: Schema, shape: Shape, view: SchemaView, place: Place): readonly string[] {
  const { properties, items, unnamed, rules, flat, choices } = shape;
  const writeMember = (name: string, property: Schema, more: Partial<NamedValue> = {}) => {
    const { marks, lifecycle } = readShape(property, view);
    return writeNamed({ name, schema: property, marks, lifecycle, place, ...more }, view);
  };
  return [
    ...properties.flatMap(([name, property]) =>
      writeMember(toSpan(name), property, {
        required: flat.required?.includes(name) === true ? "required" : undefined,
      }),
    ),
    ...unnamed.flatMap(({ label, schema: one }) => writeMember(label, one)),
    ...(items === undefined ? [] : writeItems(items, view, place)),
    ...choices.flatMap((list) => writeAlternatives(schema, list, view, place)),
    ...rules.flatMap(({ label, schema: one }) => writeMember(label, one, { isRule: true })),
  ];
}

function writeItems(items: Schema, view: SchemaView, place: Place): readonly string[] {
  const shape = readShape(items, view);
  if (!isShown(shape, place)) return [];
  const inner = writeInner(items, shape, view, enter(shape, place));
  if (shape.name !== undefined) return inner;
  const limits = listLimits(shape);
  const all = [...writeMeanings(shape), ...inner];
  return limits.length === 0 ? all : toItem(`each item (${limits.join(", ")})`, "", all);
}

function writeAlternatives(
  schema: Schema,
  list: Shape["choices"][number],
  view: SchemaView,
  place: Place,
): readonly string[] {
  const choosing = findChoosing(schema, view);
  const items = list.map(({ label, schema: one }) => {
    const shape = readShape(one, view);
    const limits = listLimits(shape);
    const facts = shape.name === undefined ? limits : [...listType(shape, view), ...limits];
    const isOpen = isShown(shape, place);
    const inner = isOpen
      ? [...writeMeanings(shape), ...writeInner(one, shape, view, enter(shape, place))]
      : [];
    const text = isOpen ? writeText(shape.description, 5) : "";
    const isEmpty = facts.length + inner.length === 0 && text === "";
    return {
      isEmpty,
      lines: toItem(`${label}${facts.length > 0 ? ` (${facts.join(", ")})` : ""}`, text, inner),
    };
  });
  // The line above lists their names.
  if (items.every(({ isEmpty }) => isEmpty)) return [];
  const title = `${isConditional(list) ? "By a condition" : "One of these"}${choosing === undefined ? "" : `, by the value of ${toSpan(choosing)}`}:`;
  return toItem(
    title,
    "",
    items.flatMap(({ lines }) => lines),
  );
}

/** The type of a value and its encoding: `array of [Pet](#schema/Pet)`. */
function listType(shape: Shape, view: SchemaView): readonly string[] {
  const parts = listTypeParts(shape, view).map(({ text, kind }) => {
    if (kind === "component") return toPlaceLink(text, toSchemaId(text));
    return kind === "format" ? ` (${text})` : text;
  });
  const { contentEncoding } = shape.flat;
  return [parts.join(""), ...(contentEncoding === undefined ? [] : [contentEncoding])];
}

function listBadges(lifecycle: Lifecycle | undefined): readonly string[] {
  if (lifecycle === undefined) return [];
  const { stability, deprecated, since, sunset, replacedBy } = lifecycle;
  return [
    ...(stability === "stable" ? [] : [stability]),
    ...(deprecated ? ["deprecated"] : []),
    ...(since === undefined ? [] : [`since ${showInstant(since)}`]),
    ...(sunset === undefined ? [] : [`until ${showInstant(sunset)}`]),
    ...(replacedBy === undefined ? [] : [`use ${toSpan(replacedBy)}`]),
  ];
}

/** Lists the limits of a value, and the values that are known unless they have meanings. */
function listLimits({ flat }: Shape): readonly string[] {
  const { title, values } = listValues(flat);
  const isPlain = values.length > 0 && values.every(({ meaning }) => meaning === undefined);
  return [
    ...listFacts(flat).map(({ text, code }) => (code === undefined ? text : `${text} ${toSpan(code)}`)),
    ...(isPlain ? [`${title.toLowerCase()} ${values.map(({ text }) => toSpan(text)).join(" ")}`] : []),
  ];
}

function writeMeanings({ flat }: Shape): readonly string[] {
  const { title, values } = listValues(flat);
  if (values.every(({ meaning }) => meaning === undefined)) return [];
  const items = values.flatMap(({ text, meaning }) => toItem(toSpan(text), meaning));
  return toItem(title.replace(/:?$/, ":"), "", items);
}
