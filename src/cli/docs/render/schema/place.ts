import type { Schema } from "tenon/core/schema";
import type { SchemaView } from "../../../values/index.js";
import { readShape, type Shape } from "./shape.js";

/** A schema shows about this many members at most; components beyond are linked by name. */
const MAX_MEMBERS = 120;
const MAX_DEPTH = 6;

/** The place of a schema within another one. */
export interface Place {
  /** Levels of components that are still shown. */
  readonly depth: number;
  /** Names of the components around it. */
  readonly within: readonly string[];
}

/**
 * Chooses how many levels of components are shown within a schema: as many as its members are not too many.
 * @returns the place of its members.
 */
export function choosePlace(schema: Schema, view: SchemaView, around: readonly string[] = []): Place {
  const shape = readShape(schema, view);
  const within = shape.name === undefined ? around : [...around, shape.name];
  let depth = 0;
  while (depth < MAX_DEPTH && countInner(shape, view, { depth: depth + 1, within }, 0) <= MAX_MEMBERS)
    depth += 1;
  return { depth, within };
}

export function enter({ name }: Shape, { depth, within }: Place): Place {
  return name === undefined
    ? { depth: depth - UNNAMED, within }
    : { depth: depth - 1, within: [...within, name] };
}

/** A schema without a name has no other place: it counts less. */
const UNNAMED = 0.1;

/** Tests whether what is within a schema is shown in its place. A component within itself is not. */
export function isShown({ name }: Shape, { depth, within }: Place): boolean {
  return name === undefined ? depth > -1 : depth > 0 && !within.includes(name);
}

/** Counts the members that are shown, up to a little more than the maximum. */
function countInner(shape: Shape, view: SchemaView, place: Place, before: number): number {
  let count = before;
  for (const one of listInner(shape)) {
    if (count > MAX_MEMBERS) break;
    count += 1;
    const inner = readShape(one, view);
    if (isShown(inner, place)) count = countInner(inner, view, enter(inner, place), count);
  }
  return count;
}

function listInner({ properties, items, unnamed, rules, choices }: Shape): readonly Schema[] {
  return [
    ...properties.map(([, property]) => property),
    ...[...choices.flat(), ...unnamed, ...rules].map(({ schema }) => schema),
    ...(items === undefined ? [] : [items]),
  ];
}
