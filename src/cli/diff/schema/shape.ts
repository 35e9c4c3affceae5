import type { Located } from "tenon/core/legacy/document";

/**
 * Schemas in their normal form: a union of shapes, each of one kind of value. `null` is apart, because every dialect spells it
 * differently; an integer is a number that has no fraction.
 */
export type Kind = "boolean" | "number" | "string" | "array" | "object";

export const KINDS: readonly Kind[] = ["boolean", "number", "string", "array", "object"];

/** Schemas that all hold, each as it is written; `$ref`s are followed when it is looked into. None: any value. */
export interface Conjunction {
  /** Equal for the same schemas of one document, in whatever order. */
  readonly key: string;
  readonly parts: readonly (Located | false)[];
}

export interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

/** A keyword whose meaning is not computed: only whether it is the same is known. */
export interface Opaque {
  readonly keyword: string;
  /** The schema that it has, where it is one. */
  readonly schema?: Conjunction;
  /** Its value as text with sorted members, where it is none. */
  readonly text?: string;
  readonly pointer: string;
}

interface Common {
  /** Where the shape is written; a keyword is looked for in each. */
  readonly sources: readonly Located[];
  /** Component that it is, to tell alternatives apart by. */
  readonly label?: string;
  /** The only values that there are. They satisfy everything else that the shape says. */
  readonly values?: readonly unknown[] | undefined;
  readonly opaque: readonly Opaque[];
}

export interface BooleanShape extends Common {
  readonly kind: "boolean";
}

export interface NumberShape extends Common {
  readonly kind: "number";
  readonly integer: boolean;
  readonly minimum?: Bound;
  readonly maximum?: Bound;
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
  /** Declared properties that this direction never has, by the keyword that says so. */
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
   * The alternatives of each `oneOf` in it that are not known to exclude each other: the shapes have more values than there are, and
   * more in one can mean fewer in all.
   */
  readonly overlaps: readonly (readonly Conjunction[])[];
  /** Alternatives were too many to be multiplied out; some are left out. */
  readonly truncated: boolean;
}

export const ANYTHING: Conjunction = { key: "", parts: [] };

export const NEVER: Conjunction = { key: "never", parts: [false] };

export const ANY: Normal = {
  null: true,
  shapes: KINDS.map((kind) => createShape(kind, [])),
  overlaps: [],
  truncated: false,
};

export const NOTHING: Normal = { null: false, shapes: [], overlaps: [], truncated: false };

/** Every value of a kind. */
export function createShape(kind: Kind, sources: readonly Located[]): Shape {
  const common = { sources, opaque: [] };
  switch (kind) {
    case "boolean":
      return { ...common, kind };
    case "number":
      return { ...common, kind, integer: false, multiples: [], formats: [] };
    case "string":
      return { ...common, kind, minLength: 0, maxLength: Infinity, patterns: [], formats: [] };
    case "array":
      return { ...common, kind, minItems: 0, maxItems: Infinity, unique: false, prefix: [], rest: ANYTHING };
    case "object":
      return {
        ...common,
        kind,
        properties: new Map(),
        hidden: new Map(),
        required: new Set(),
        patterns: new Map(),
        rest: ANYTHING,
        minProperties: 0,
        maxProperties: Infinity,
      };
  }
}
