import { isNode } from "tenon/core/document";
import { isCostly } from "../../../patterns/index.js";
import type { Kind, Shape } from "./shape.js";

/** Writes a JSON value as text that is equal for equal values, with sorted members. */
export function toCanonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonical).join(",")}]`;
  if (!isNode(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${toCanonical(value[name])}`);
  return `{${members.join(",")}}`;
}

const canonical = new WeakMap<readonly unknown[], ReadonlySet<string>>();

/** The texts of a shape's values. They are kept: a list of thousands is searched once for each value of another one. */
function listCanonical(values: readonly unknown[]): ReadonlySet<string> {
  const texts = canonical.get(values) ?? new Set(values.map(toCanonical));
  canonical.set(values, texts);
  return texts;
}

export function kindOf(value: unknown): Kind | "null" {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "boolean" || type === "number" || type === "string" ? type : "object";
}

/**
 * Tests whether a shape allows a value. Contents of arrays and objects, formats and opaque keywords are not checked: values of an
 * `enum` are assumed to satisfy them.
 */
export function accepts(shape: Shape, value: unknown): boolean {
  if (kindOf(value) !== shape.kind) return false;
  if (shape.values !== undefined) return listCanonical(shape.values).has(toCanonical(value));
  if (shape.kind === "number") {
    const number = value as number;
    const { integer, minimum, maximum, multiples } = shape;
    if (integer && !Number.isInteger(number)) return false;
    if (minimum && (minimum.exclusive ? number <= minimum.value : number < minimum.value)) return false;
    if (maximum && (maximum.exclusive ? number >= maximum.value : number > maximum.value)) return false;
    return multiples.every((step) => isMultiple(number, step));
  }
  if (shape.kind === "string") {
    // Lengths count code points, as JSON Schema does.
    const length = Array.from(value as string).length;
    if (length < shape.minLength || length > shape.maxLength) return false;
    return shape.patterns.every((pattern) => matches(pattern, value as string) !== false);
  }
  return true;
}

/** Tests whether a number is a multiple of `step`, within the precision of doubles. */
export function isMultiple(number: number, step: number): boolean {
  const quotient = number / step;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient));
}

/** @returns undefined for a pattern that JavaScript cannot compile, or that can take hours. */
export function matches(pattern: string, text: string): boolean | undefined {
  if (isCostly(pattern)) return undefined;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return undefined;
  }
}
