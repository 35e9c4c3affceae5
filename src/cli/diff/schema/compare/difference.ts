import type { Lasting } from "tenon/core/document";
import type { Schema, SchemaRegistry, Side } from "tenon/core/schema";
import type { Level } from "../../change.js";
import type { SchemaCode } from "../../codes/index.js";
import type { LifecycleChange } from "../../lifecycle-changes.js";
import type { Sides } from "../../sides.js";
import type { Conjunction } from "../normal-form/conjunction.js";

/** One difference between two schemas. */
export interface Difference extends Sides<Place> {
  readonly name: SchemaCode;
  readonly before?: unknown;
  readonly after?: unknown;
  /** The property or keyword that differs. */
  readonly subject?: string;
  /** The property that differs, if the base declares it. */
  readonly property?: Conjunction;
  /** Schemas of only the keyword that differs. A value that shows the difference is invalid for one of them. */
  readonly keyword?: Sides<Schema | undefined>;
  /** As `keyword`, of a difference that rules decide. It is not part of the decision within `oneOf`. */
  readonly rule?: Sides<Schema | undefined>;
  /** The schema of a removed or added alternative. A value that shows the difference is valid for it. */
  readonly alternative?: Sides<Schema | undefined>;
  /** The only values that can show the difference, if a side lists them. */
  readonly listed?: Sides<readonly unknown[] | undefined>;
  /** Levels that differ from those of its code. */
  readonly levels?: Readonly<Partial<Record<Side, Level>>>;
  /** True for a side that may have none of the values that differ, because other keywords can exclude all of them. */
  readonly unsure?: Sides<boolean>;
  /** The difference between lifecycles, and the new one. */
  readonly lifecycle?: { readonly change: LifecycleChange; readonly revision: Lasting };
  /** It is within alternatives that may overlap: one more value in one can mean one fewer in the whole. */
  readonly overlapping?: boolean;
}

/** Finds the pointer of the nearest node of the document, lazily because most places are never reported. */
export type Place = (registry: SchemaRegistry) => string;

interface WithSources {
  readonly sources: readonly Schema[];
}

/** The place of a keyword in the sources of a shape, else of the first source. */
function placeOfKeyword({ sources }: WithSources, keywords: readonly string[]): Place {
  return (registry) => {
    for (const keyword of keywords) {
      for (const source of sources) {
        const pointer = registry.findKeyword(source, keyword);
        if (pointer !== undefined) return pointer;
      }
    }
    return sources[0]?.pointer ?? "#";
  };
}

/** The places of the first of these keywords that each shape has, else of the shapes. */
export function placesOf(
  { base, revision }: Sides<WithSources>,
  ...keywords: readonly string[]
): Sides<Place> {
  return { base: placeOfKeyword(base, keywords), revision: placeOfKeyword(revision, keywords) };
}

export function placesOfProperty({ base, revision }: Sides<WithSources>, name: string): Sides<Place> {
  return { base: placeOfProperty(base, name), revision: placeOfProperty(revision, name) };
}

function placeOfProperty(shape: WithSources, name: string): Place {
  const owner = shape.sources.find(({ properties = {} }) => Object.hasOwn(properties, name));
  const property = owner?.properties?.[name];
  return property === undefined ? placeOfKeyword(shape, ["properties"]) : () => property.pointer;
}

/** The place of a schema behind its references. */
export function placeOfSchema({ parts: [schema] }: Conjunction): Place {
  return (registry) => (schema === undefined ? "#" : registry.resolve(schema).pointer);
}

/** A pair of schemas of parts of the value: a property, an item. */
export interface Edge extends Sides<Conjunction> {
  /** Appended to the path of the whole value: `.name`, `[]`. */
  readonly step: string;
  /** Neither side has a value without it, so that its default never applies. */
  readonly required?: boolean;
  /** Another alternative may allow a value that this pair does not. */
  readonly alternative?: boolean;
  /** It is within alternatives that may overlap. */
  readonly overlapping?: boolean;
}

/** Differences between two schemas themselves, and the pairs of parts that remain to be compared. */
export interface Expansion {
  readonly differences: readonly Difference[];
  readonly edges: readonly Edge[];
}

/** Joins expansions and differences of one pair. */
export function merge(parts: readonly (Expansion | readonly Difference[])[]): Expansion {
  const expansions = parts.map((part) => ("edges" in part ? part : { differences: part, edges: [] }));
  return {
    differences: expansions.flatMap(({ differences }) => differences),
    edges: expansions.flatMap(({ edges }) => edges),
  };
}

/** Relates the values of two schemas, at any depth. */
export type RelateSchemas = (base: Conjunction, revision: Conjunction) => Relation;

/** Relation between the values of a base and its revision, at any depth. */
export interface Relation {
  readonly narrower: boolean;
  readonly wider: boolean;
  /** Both may be wrong: a difference is within `oneOf` alternatives that may overlap. */
  readonly overlapping: boolean;
}

export function isEqual({ narrower, wider }: Relation): boolean {
  return !narrower && !wider;
}
