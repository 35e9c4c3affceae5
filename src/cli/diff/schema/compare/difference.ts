import type { Lifecycle } from "tenon/core/document";
import type { Schema, SchemaRegistry } from "tenon/core/schema";
import type { Effect, SchemaCode } from "../../codes/index.js";
import type { Conjunction } from "../normal-form/index.js";

/** One difference between two schemas. */
export interface Difference {
  readonly name: SchemaCode;
  readonly effect: Effect;
  readonly before?: unknown;
  readonly after?: unknown;
  /** The property or keyword that differs. */
  readonly subject?: string;
  /** The property that differs, if the base declares it. */
  readonly property?: Conjunction;
  /** The new lifecycle, if that differs. */
  readonly lifecycle?: Lifecycle;
  /** It is within alternatives that may overlap: one more value in one can mean one fewer in the whole. */
  readonly overlapping?: boolean;
  readonly base: Place;
  readonly revision: Place;
}

/** Finds the pointer of the nearest node of the document, lazily because most places are never reported. */
export type Place = (registry: SchemaRegistry) => string;

/** The place of a keyword in the sources of a shape, else of the first source. */
export function placeOfKeyword(sources: readonly Schema[], ...keywords: readonly string[]): Place {
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

/** The place of a property. */
export function placeOfProperty(sources: readonly Schema[], name: string): Place {
  const owner = sources.find(({ properties }) => properties !== undefined && Object.hasOwn(properties, name));
  const property = owner?.properties?.[name];
  return property === undefined ? placeOfKeyword(sources, "properties") : () => property.pointer;
}

/** The place of a schema behind its references. */
export function placeOfSchema({ parts: [schema] }: Conjunction): Place {
  return (registry) => (schema === undefined ? "#" : registry.resolve(schema).pointer);
}

/** A pair of schemas of parts of the value: a property, an item. */
export interface Edge {
  /** Appended to the path of the whole value: `.name`, `[]`. */
  readonly step: string;
  readonly base: Conjunction;
  readonly revision: Conjunction;
  /** It is within alternatives that may overlap: one more value in one can mean one fewer in the whole. */
  readonly overlapping?: boolean;
}

/** Differences between two schemas themselves, and the pairs of parts that remain to be compared. */
export interface Expansion {
  readonly differences: readonly Difference[];
  readonly edges: readonly Edge[];
}

export function merge(expansions: readonly Expansion[]): Expansion {
  return {
    differences: expansions.flatMap(({ differences }) => differences),
    edges: expansions.flatMap(({ edges }) => edges),
  };
}
