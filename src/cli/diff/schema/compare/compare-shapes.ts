import type { Schema } from "tenon/core/schema";
import type { Sides } from "../../sides.js";
import type { ArrayShape, Shape } from "../normal-form/shape.js";
import { isWholeKind } from "../normal-form/simplify.js";
import { accepts } from "../normal-form/values.js";
import { compareObjects } from "./compare-objects.js";
import { compareCounts, compareNumbers, compareStrings } from "./compare-scalars.js";
import { compareKeywords } from "./compare-keywords.js";
import {
  type Difference,
  type Edge,
  type Expansion,
  merge,
  placesOf,
  type RelateSchemas,
} from "./difference.js";

/** Compares two shapes of one kind. */
export function compareShapes(base: Shape, revision: Shape, relate: RelateSchemas): Expansion {
  const pair = { base, revision };
  const own = merge([compareValues(pair) ?? compareKinds(base, revision)]);
  const differences = own.differences.map((one) => ({
    ...one,
    unsure: {
      base: one.unsure?.base === true || base.opaque.length > 0,
      revision: one.unsure?.revision === true || revision.opaque.length > 0,
    },
  }));
  return merge([{ ...own, differences }, compareKeywords(pair, relate)]);
}

function compareKinds(base: Shape, revision: Shape): Expansion | readonly Difference[] {
  if (base.kind === "object" && revision.kind === "object") return compareObjects({ base, revision });
  if (base.kind === "array" && revision.kind === "array") return compareArrays({ base, revision });
  if (base.kind === "string" && revision.kind === "string") return compareStrings({ base, revision });
  return base.kind === "number" && revision.kind === "number" ? compareNumbers({ base, revision }) : [];
}

function compareArrays(pair: Sides<ArrayShape>): Expansion {
  const { base, revision } = pair;
  const differences: Difference[] = [...compareCounts(pair, ["minItems", "maxItems"])];
  if (base.unique !== revision.unique) {
    const name = revision.unique ? "unique-items-added" : "unique-items-removed";
    differences.push({
      name,
      before: base.unique,
      after: revision.unique,
      rule: { base: toUnique(base), revision: toUnique(revision) },
      ...placesOf(pair, "uniqueItems"),
    });
  }
  // Items beyond the longest array do not matter.
  const longest = Math.max(base.maxItems, revision.maxItems);
  const places = Math.max(base.prefix.length, revision.prefix.length);
  const edges = Array.from({ length: Math.min(places, longest) }, (_, index): Edge => ({
    step: `[${index}]`,
    base: base.prefix[index] ?? base.rest,
    revision: revision.prefix[index] ?? revision.rest,
  }));
  // The limit of the shorter side is already reported.
  const bothGoOn = Math.min(base.maxItems, revision.maxItems) > places;
  if (bothGoOn) edges.push({ step: "[]", base: base.rest, revision: revision.rest });
  return { differences, edges };
}

function toUnique({ unique }: ArrayShape): Schema {
  return { pointer: "#", uniqueItems: unique };
}

/**
 * Compares shapes of which at least one lists its values.
 * @returns undefined when neither does.
 */
function compareValues(pair: Sides<Shape>): readonly Difference[] | undefined {
  const { base, revision } = pair;
  const [before, after] = [base.values, revision.values];
  if (before === undefined && after === undefined) return undefined;
  const places = placesOf(pair, "enum", "const");
  const gone = (before ?? []).filter((value) => !accepts(revision, value));
  const come = (after ?? []).filter((value) => !accepts(base, value));
  const differences: Difference[] = [
    ...gone.map((value): Difference => ({
      name: "enum-value-removed",
      before: value,
      rule: toOther(value),
      ...places,
    })),
    ...come.map((value): Difference => ({
      name: "enum-value-added",
      after: value,
      rule: toOther(value),
      ...places,
      // Clients expect more values only of an enum.
      ...(before === undefined && { levels: { response: "breaking" } }),
    })),
  ];
  if (isPartlyUnchecked(base) || isPartlyUnchecked(revision))
    differences.push({ name: "values-not-compared", listed: { base: before, revision: after }, ...places });
  const unsure = { base: hasFewValues(base), revision: hasFewValues(revision) };
  const rule = { base: toEnum(before), revision: toEnum(after) };
  if (before === undefined) differences.push({ name: "enum-added", after, unsure, rule, ...places });
  if (after === undefined) differences.push({ name: "enum-removed", before, unsure, rule, ...places });
  return differences;
}

export function toEnum(values: readonly unknown[] | undefined): Schema | undefined {
  return values && { pointer: "#", enum: values };
}

/** Builds a schema of all values but one. */
export function toOther(value: unknown): Sides<Schema> {
  const other: Schema = { pointer: "#", not: { pointer: "#", enum: [value] } };
  return { base: other, revision: other };
}

/** Tests whether a shape may have so few values that an `enum` lists all of them. */
function hasFewValues(shape: Shape): boolean {
  switch (shape.kind) {
    case "string":
      return shape.maxLength === 0 || shape.patterns.length > 0;
    case "number":
      return shape.minimum !== undefined && shape.maximum !== undefined;
    case "array":
      return shape.maxItems === 0;
    case "object":
      return shape.maxProperties === 0;
    default:
      return true;
  }
}

/** Tests whether a shape has restrictions that `accepts` does not check. */
function isPartlyUnchecked(shape: Shape): boolean {
  if (shape.values !== undefined || isWholeKind(shape)) return false;
  return (
    shape.kind === "array" || shape.kind === "object" || ("formats" in shape && shape.formats.length > 0)
  );
}
