import { type Located } from "tenon/core/legacy/document";
import { getOwn, joinPointer } from "tenon/core/document/pointer";
import type { Lifecycle } from "tenon/core/document/lifecycle";
import type { SchemaFact } from "../schema-codes.js";
import type { Conjunction } from "./shape.js";

/** What a difference does to the set of values: fewer, more, both or not decided, or the same. */
export type Effect = "narrower" | "wider" | "unknown" | "none";

/** One difference between two schemas, at the place that explains it. */
export interface Fact {
  readonly name: SchemaFact;
  readonly effect: Effect;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Property or keyword that it is about. */
  readonly subject?: string;
  /** What the base says of the property that it is about, where it declares it. */
  readonly property?: Conjunction;
  /** The revision's, of a difference between lifecycles. */
  readonly lifecycle?: Lifecycle;
  /** Within alternatives that may overlap: more in one can mean fewer values in all. */
  readonly overlapping?: boolean;
  /** Pointers in the base and in the revision; the nearest that is written. */
  readonly base: string;
  readonly revision: string;
}

/** Where a keyword is written among the sources of a shape; else where the first of them is. */
export function findKeyword(sources: readonly Located[], ...keys: readonly string[]): string {
  for (const key of keys) {
    const source = sources.find(({ node }) => getOwn(node, key) !== undefined);
    if (source !== undefined) return joinPointer(source.pointer, key);
  }
  return sources[0]?.pointer ?? "#";
}

/** Where a property is written. */
export function findProperty(sources: readonly Located[], name: string): string {
  const source = sources.find(({ node }) => {
    const properties = getOwn(node, "properties");
    return typeof properties === "object" && properties !== null && Object.hasOwn(properties, name);
  });
  return source === undefined
    ? findKeyword(sources, "properties")
    : joinPointer(source.pointer, "properties", name);
}
