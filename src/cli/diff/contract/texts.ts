import type { Parameter } from "tenon/core/model";
import type { Side } from "tenon/core/schema";
import type { Finding } from "../change.js";
import type { Found, SchemaGraph } from "../schema/graph.js";
import type { ArrayShape, Normal, Shape } from "../schema/normal-form/shape.js";
import { isWholeKind } from "../schema/normal-form/simplify.js";
import { accepts } from "../schema/normal-form/values.js";
import type { Sides } from "../sides.js";

/** Serialization of values that are sent as texts. */
export type Serialization = Partial<Pick<Parameter["declared"], "style" | "explode">>;

/** The paths of values that are sent as texts: of whole ones, and of these and the texts that they consist of. */
interface TextPaths {
  readonly whole: RegExp;
  readonly all: RegExp;
}

export const PARAMETER: TextPaths = { whole: /^$/, all: /^(?:\[\d*\]|\.[^.[]+)?$/ };
export const FIELD: TextPaths = { whole: /^\.[^.[]+$/, all: /^\.[^.[]+(?:\[\d*\])?$/ };
export const TEXT: TextPaths = { whole: /^$/, all: /^$/ };

/** Values that are sent as texts: a parameter or header, the fields of a form, or a whole body. */
export interface Texts extends Sides<Serialization> {
  readonly paths: TextPaths;
  /** Names of fields that are serialized in a way of their own. */
  readonly except?: ReadonlySet<string>;
}

/**
 * Weighs another type of a value by its texts: `limit=5` is a valid string as well as a valid integer, and `id=a` is a
 * list of one item in the exploded style `form`.
 * @returns an empty object if a text of the one type may not be one of the other.
 */
export function weighTexts(
  { difference, path, part }: Found,
  direction: Side,
  { schemas, texts }: { readonly schemas: SchemaGraph; readonly texts: Texts },
): Pick<Finding, "level" | "because"> {
  const { name } = difference;
  const { paths, except } = texts;
  if (!paths.all.test(path) || !["type-changed", "type-removed", "type-added"].includes(name)) return {};
  const [, field = ""] = /^\.([^.[]+)/.exec(path) ?? [];
  if (except?.has(field) === true) return {};
  const [from, to] =
    direction === "request" ? (["base", "revision"] as const) : (["revision", "base"] as const);
  const forms = schemas.normalize(part);
  if (includesTexts(forms[from], forms[to]))
    return { level: "safe", because: "Each text that clients send or receive is valid in both contracts." };
  if (!paths.whole.test(path)) return {};
  if (isOneText(texts[from]) && forms[to].shapes.some(isEveryText))
    return { level: "safe", because: "Each text is a valid string." };
  if (paths === TEXT) return {};
  const [list, ...others] = forms[to].shapes;
  if (list?.kind !== "array" || others.length > 0 || list.minItems > 1 || list.maxItems < 1) return {};
  // The side that has to allow the values of the other says how they are serialized.
  const isExploded = texts[to].style === "form" && texts[to].explode === true;
  const isDelimited = !isExploded && isOneText(texts[to]);
  if (isDelimited && isListOfTexts(list, schemas.normalize({ ...part, [to]: list.rest })[to]))
    return { level: "safe", because: "Each text is a valid list." };
  const isPlain = forms[from].shapes.every(isPlainKind) && list.opaque.length === 0;
  // A string can contain what separates the items of a list.
  const isItem = isExploded || (isDelimited && forms[from].shapes.every(({ kind }) => kind !== "string"));
  if (!isPlain || !isItem) return {};
  const pair = { ...part, [to]: list.prefix[0] ?? list.rest };
  const { narrower, wider } = schemas.relate(pair);
  const isLess = direction === "request" ? narrower : wider;
  if (isLess && !includesTexts(forms[from], schemas.normalize(pair)[to])) return {};
  return { level: "safe", because: "A single value is a list of one item." };
}

/** Tests whether all of a value is sent as one text. */
function isOneText(serialization: Serialization): boolean {
  return findSeparator(serialization) !== undefined;
}

/** Finds what separates the items of a list that is sent as one text. `label` and `matrix` also add characters to single values. */
export function findSeparator({ style = "simple", explode = false }: Serialization): string | undefined {
  return style === "simple" || !explode ? SEPARATORS[style] : undefined;
}

const SEPARATORS: Readonly<Partial<Record<string, string>>> = {
  simple: ",",
  form: ",",
  spaceDelimited: " ",
  pipeDelimited: "|",
};

function isEveryText(shape: Shape): boolean {
  return shape.kind === "string" && isWholeKind(shape);
}

/** Tests whether a list allows any number of any strings. */
function isListOfTexts({ maxItems, unique, prefix, opaque }: ArrayShape, { shapes }: Normal): boolean {
  const isAnyList = maxItems === Infinity && !unique && prefix.length === 0 && opaque.length === 0;
  return isAnyList && shapes.some(isEveryText);
}

/** Tests whether a schema allows each text of the plain values of another. */
function includesTexts(from: Normal, to: Normal): boolean {
  const strings = to.shapes.filter((shape) => shape.kind === "string");
  if (from.shapes.length === 0 || from.null || to.overlaps.length > 0) return false;
  return from.shapes.every((shape) => {
    if (!isPlainKind(shape)) return false;
    // Only strings can be empty.
    const isFilled = shape.kind !== "string" || shape.minLength > 0;
    if (
      strings.some((one) => isEveryText(isFilled && one.minLength === 1 ? { ...one, minLength: 0 } : one)) ||
      to.shapes.some((other) => other.kind === shape.kind && isWholeKind(other))
    )
      return true;
    const values = shape.kind === "boolean" ? (shape.values ?? [true, false]) : shape.values;
    return (
      values?.every((value) => strings.some((other) => isCertain(other) && accepts(other, String(value)))) ===
      true
    );
  });
}

function isPlainKind({ kind }: Shape): boolean {
  return kind !== "array" && kind !== "object";
}

/** Tests whether `accepts` checks all restrictions of a string. */
function isCertain(shape: Shape): boolean {
  return (
    shape.opaque.length === 0 &&
    (shape.values !== undefined || (shape.kind === "string" && shape.formats.length === 0))
  );
}
