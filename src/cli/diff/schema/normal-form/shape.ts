import type { Schema } from "tenon/core/schema";
import type { Conjunction } from "./conjunction.js";

/**
 * A kind of value. Schemas in normal form are unions of shapes, each of one kind; `null` is a flag of its own, and integers are
 * numbers.
 */
export type Kind = "boolean" | "number" | "string" | "array" | "object";

export const KINDS: readonly Kind[] = ["boolean", "number", "string", "array", "object"];

export interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

/** A keyword whose values are not computed; it is only tested for equality. */
export interface Opaque {
  readonly keyword: string;
  /** Its value, if it is a schema. */
  readonly schema?: Conjunction;
  /** Its value as text with sorted members, if it is not a schema. */
  readonly text?: string;
}

interface Common {
  /** The schemas that the shape was built from. */
  readonly sources: readonly Schema[];
  /** Name of its component, for matching alternatives. */
  readonly label?: string | undefined;
  /** The only allowed values, which satisfy all other keywords. */
  readonly values?: readonly unknown[] | undefined;
  readonly opaque: readonly Opaque[];
}

export interface BooleanShape extends Common {
  readonly kind: "boolean";
}

export interface NumberShape extends Common {
  readonly kind: "number";
  readonly integer: boolean;
  readonly minimum: Bound | undefined;
  readonly maximum: Bound | undefined;
  readonly multiples: readonly number[];
  readonly formats: readonly string[];
}

export interface StringShape extends Common {
  readonly kind: "string";
  readonly minLength: number;
  /** Infinity where there is none. */
  readonly maxLength: number;
  readonly patterns: readonly string[];
  readonly formats: readonly string[];
}

export interface ArrayShape extends Common {
  readonly kind: "array";
  readonly minItems: number;
  readonly maxItems: number;
  readonly unique: boolean;
  readonly prefix: readonly Conjunction[];
  readonly rest: Conjunction;
}

export interface ObjectShape extends Common {
  readonly kind: "object";
  readonly properties: ReadonlyMap<string, Conjunction>;
  /** Declared properties that this direction never has, with the keyword that removes them. */
  readonly hidden: ReadonlyMap<string, "readOnly" | "writeOnly">;
  readonly required: ReadonlySet<string>;
  readonly patterns: ReadonlyMap<string, Conjunction>;
  readonly rest: Conjunction;
  readonly minProperties: number;
  readonly maxProperties: number;
}

export type Shape = BooleanShape | NumberShape | StringShape | ArrayShape | ObjectShape;

export interface Normal {
  readonly null: boolean;
  readonly shapes: readonly Shape[];
  /**
   * The alternatives of each `oneOf` that may overlap. The shapes then allow too much, and one more value in an alternative can
   * mean one fewer in the whole.
   */
  readonly overlaps: readonly (readonly Conjunction[])[];
  /** Some of too many alternatives are left out. */
  readonly truncated: boolean;
}

export const NOTHING: Normal = { null: false, shapes: [], overlaps: [], truncated: false };
