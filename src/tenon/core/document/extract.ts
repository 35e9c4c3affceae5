import { toComponentReference } from "./references.js";
import { isNode, type Node } from "./node.js";
import { getByPointer, getValue, parsePointer } from "./pointer.js";

/** Member of an extracted part that contains the targets of references outside the components. */
const ELSEWHERE = "x-referenced";

/**
 * Extracts parts of a document, each with only the components that it uses.
 * A reference into another operation would include that whole operation, so its target is moved:
 * `#/paths/~1pets/get/responses/200` becomes `#/x-referenced/0`. References that cannot be resolved, or lead out of the document, stay.
 * @returns a function that makes a part self-contained.
 */
export function createExtractor(document: Node): (part: Node) => Node {
  const heirs = findHeirs(document);
  return (part) => {
    /** References within the part, by pointer in the document. */
    const places = new Map<string, string>();
    const kinds = new Map<string, Map<string, unknown>>();
    const elsewhere: unknown[] = [];
    /** A queue instead of recursion, because a chain of references can be deeper than the stack. */
    const waiting: (() => void)[] = [];

    const take = (pointer: string): string => {
      const place = places.get(pointer);
      if (place !== undefined) return place;
      const [root, kind = "", name = ""] = parsePointer(pointer);
      const isComponent = root === "components";
      const target = isComponent
        ? getValue(getValue(document["components"], kind), name)
        : getByPointer(document, pointer);
      if (target === undefined) return pointer;
      const index = elsewhere.length;
      if (!isComponent) elsewhere.push(undefined);
      places.set(pointer, isComponent ? pointer : `#/${ELSEWHERE}/${index}`);
      waiting.push(() => {
        if (!isComponent) elsewhere[index] = copy(target);
        else takeComponent(kind, name, target);
      });
      return places.get(pointer) ?? pointer;
    };

    const takeComponent = (kind: string, name: string, component: unknown): void => {
      const taken = kinds.get(kind) ?? new Map<string, unknown>();
      kinds.set(kind, taken);
      if (taken.has(name)) return;
      taken.set(name, copy(component));
      // The alternatives of a discriminator may be missing in the schema itself.
      if (kind === "schemas" && isNode(getValue(component, "discriminator")))
        for (const heir of heirs.get(name) ?? []) take(toComponentReference(heir));
    };

    const copy = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(copy);
      if (!isNode(value)) return value;
      // `Object.fromEntries` keeps a member named `__proto__`.
      return mapValues(value, (member, key) => {
        if (key === "$ref" && typeof member === "string") return take(member);
        if (key === "discriminator") for (const target of listMapped(member)) take(target);
        return copy(member);
      });
    };

    const { components, ...rest } = part;
    const own = copy(rest) as Node;
    for (const [kind, named] of Object.entries(isNode(components) ? components : {}))
      for (const [name, component] of Object.entries(isNode(named) ? named : {}))
        takeComponent(kind, name, component);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) next();
    return {
      ...own,
      components: Object.fromEntries([...kinds].map(([kind, taken]) => [kind, Object.fromEntries(taken)])),
      ...(elsewhere.length > 0 && { [ELSEWHERE]: elsewhere }),
    };
  };
}

/** Maps the name of each schema component to the names of the components that extend it with `allOf`. */
function findHeirs(document: Node): ReadonlyMap<string, readonly string[]> {
  const heirs = new Map<string, string[]>();
  const schemas = getValue(document["components"], "schemas");
  for (const [name, schema] of Object.entries(isNode(schemas) ? schemas : {})) {
    const allOf = getValue(schema, "allOf");
    for (const part of Array.isArray(allOf) ? (allOf as unknown[]) : []) {
      const pointer = getValue(part, "$ref");
      const parent = typeof pointer === "string" ? parsePointer(pointer)[2] : undefined;
      if (parent !== undefined) heirs.set(parent, [...(heirs.get(parent) ?? []), name]);
    }
  }
  return heirs;
}

/** A mapping names a schema by reference, or by its name in the components. */
function listMapped(discriminator: unknown): readonly string[] {
  const mapping = getValue(discriminator, "mapping");
  return [...Object.values(isNode(mapping) ? mapping : {}), getValue(discriminator, "defaultMapping")]
    .filter((target) => typeof target === "string")
    .map((target) => (target.startsWith("#/") ? target : toComponentReference(target)));
}

/** Counts the objects of a document with each non-circular reference replaced by its target, up to `limit` + 1. */
export function countUnfolded(document: Node, limit: number): number {
  const within = new Set<string>();
  let count = 0;
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value) || count > limit) return;
    // Deeper references would overflow the stack of code that expands them.
    count += within.size > MAX_DEPTH ? limit : 1;
    const { $ref: pointer } = value;
    if (typeof pointer !== "string") Object.values(value).forEach(visit);
    else if (!within.has(pointer)) {
      within.add(pointer);
      visit(getByPointer(document, pointer));
      within.delete(pointer);
    }
  };
  visit({ ...document, components: undefined });
  return count;
}

const MAX_DEPTH = 500;

/** Replaces the references in a value. */
export function mapReferences(value: unknown, map: (reference: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapReferences(item, map));
  if (!isNode(value)) return value;
  const { $ref: reference } = value;
  return typeof reference === "string"
    ? map(reference)
    : mapValues(value, (member) => mapReferences(member, map));
}

function mapValues(node: Node, map: (member: unknown, key: string) => unknown): Node {
  return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, map(member, key)]));
}
