import type { Parameter } from "tenon/core/model";
import type { Side } from "tenon/core/schema";
import type { Finding } from "../change.js";
import type { Found, SchemaGraph } from "../schema/graph.js";
import type { Normal, Shape } from "../schema/normal-form/shape.js";
import { isWholeKind } from "../schema/normal-form/simplify.js";
import { accepts } from "../schema/normal-form/values.js";

/** Serialization of parameters and headers, which are texts. */
export type Serialization = Partial<Pick<Parameter["declared"], "style" | "explode">>;

/**
 * Weighs another type of a parameter or header by its texts: `limit=5` is a valid string as well as a valid integer, and `id=a` is a
 * list of one item in the exploded style `form`.
 * @param serialization How the side serializes values that has to allow those of the other.
 * @returns an empty object if a text of the one type may not be one of the other.
 */
export function weighTexts(
  { difference, path, part }: Found,
  direction: Side,
  { schemas, serialization }: { readonly schemas: SchemaGraph; readonly serialization: Serialization },
): Pick<Finding, "level" | "because"> {
  const { name } = difference;
  if (path !== "" || !["type-changed", "type-removed", "type-added"].includes(name)) return {};
  const [from, to] =
    direction === "request" ? (["base", "revision"] as const) : (["revision", "base"] as const);
  const forms = schemas.normalize(part);
  if (includesTexts(forms[from], forms[to]))
    return { level: "safe", because: "Each text that clients send or receive is valid in both contracts." };
  const [list, ...others] = forms[to].shapes;
  const isExploded = serialization.style === "form" && serialization.explode === true;
  if (!isExploded || list?.kind !== "array" || others.length > 0 || list.minItems > 1 || list.maxItems < 1)
    return {};
  const item = list.prefix[0] ?? list.rest;
  const pair = { ...part, [to]: item };
  const { narrower, wider } = schemas.relate(pair);
  const isLess = direction === "request" ? narrower : wider;
  const isPlain = forms[from].shapes.every(isPlainKind) && list.opaque.length === 0;
  if (!isPlain || (isLess && !includesTexts(forms[from], schemas.normalize(pair)[to]))) return {};
  return { level: "safe", because: "A single value is a list of one item." };
}

/** Tests whether a schema allows each text of the plain values of another. */
function includesTexts(from: Normal, to: Normal): boolean {
  const strings = to.shapes.filter(({ kind }) => kind === "string");
  if (from.shapes.length === 0 || from.null || to.overlaps.length > 0) return false;
  return from.shapes.every((shape) => {
    if (!isPlainKind(shape)) return false;
    if (
      strings.some(isWholeKind) ||
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
