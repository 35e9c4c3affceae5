import { getSchemas, isNode, type Node, toText } from "tenon/core/legacy/document";
import { getByPointer, getOwn, joinPointer, parsePointer } from "tenon/core/document/pointer";
import { redirect } from "tenon/core/legacy/hierarchy";
import { encodeName } from "./names.js";

/** A reference that openapi-typescript can follow, to a component of a kind: `#/components/schemas/Pet`. */
export function toReference(kind: string, name: string): string {
  return joinPointer("#/components", kind, encodeName(name));
}

export interface Target {
  /** What the reference leads to in the end; absent when it leads nowhere or back to itself. */
  readonly node?: Node | boolean | undefined;
  /** The last reference on the way there, in its one canonical spelling. */
  readonly pointer: string;
}

/** Follows references within the bundled document, through any number of others. */
export function follow(document: Node, reference: string): Target {
  const seen = new Set<string>();
  const schemas = getSchemas(document);
  for (let pointer = redirect(reference, schemas); ;) {
    const target = getByPointer(document, pointer);
    if (typeof target === "boolean") return { node: target, pointer };
    if (!isNode(target) || seen.has(pointer)) return { pointer };
    seen.add(pointer);
    const next = toText(getOwn(target, "$ref"));
    if (next === undefined) return { node: target, pointer };
    pointer = redirect(next, schemas);
  }
}

/** A node, or what its `$ref` leads to; undefined when that is nothing. */
export function dereference(document: Node, value: unknown): Node | undefined {
  if (!isNode(value)) return undefined;
  const reference = toText(getOwn(value, "$ref"));
  if (reference === undefined) return value;
  const { node } = follow(document, reference);
  return isNode(node) ? node : undefined;
}

/** The kind and name of the component that a reference leads to, when it leads to a whole component. */
export function toComponent(reference: string): { readonly kind: string; readonly name: string } | undefined {
  const [root, kind, name, ...rest] = parsePointer(reference);
  if (!reference.startsWith("#/") || root !== "components" || rest.length > 0) return undefined;
  return kind === undefined || name === undefined ? undefined : { kind, name };
}

/** The members of a member that is an object; none when it is something else. */
export function entries(node: Node, key: string): readonly (readonly [name: string, value: unknown])[] {
  const members = getOwn(node, key);
  return isNode(members) ? Object.entries(members) : [];
}
