import type { OasRef } from "@redocly/openapi-core";

/*
 * Redocly walks a document that `struct` has not passed yet, so that a node may be anything, whatever its type says. Rules read
 * maps and lists through these and leave the telling of malformed nodes to `struct`.
 */

export function isNode(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isReference(value: unknown): value is OasRef {
  return isNode(value) && "$ref" in value && typeof value.$ref === "string";
}

/** Entries of a map whose values are objects; none when it is no map. */
export function entriesOf<T extends object>(map: Readonly<Record<string, T>> | undefined): [string, T][] {
  return isNode(map) ? Object.entries(map).filter(([, value]) => isNode(value)) : [];
}

/** Objects in a list, each with its index; none when it is no list. */
export function itemsOf<T extends object>(list: readonly T[] | undefined): [number, T][] {
  return Array.isArray(list)
    ? [...(list as readonly T[]).entries()].filter(([, value]) => isNode(value))
    : [];
}
