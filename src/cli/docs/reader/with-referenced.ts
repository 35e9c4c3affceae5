import { isNode, type Node } from "tenon/core/legacy/document";
import { getByPointer, getMember, joinPointer, parsePointer } from "tenon/core/document/pointer";
import { mapMembers } from "../members.js";

/** Where a part has what its references led to outside the components. */
const ELSEWHERE = "x-referenced";

/**
 * Takes parts out of a contract: each with the components that it reaches, and no others.
 * A reference into another operation would bring that operation along, so what it leads to moves to a place of its own:
 * `#/paths/~1pets/get/responses/200` becomes `#/x-referenced/0`. References that lead nowhere, or out of the contract, stay.
 * @returns Makes of a part that refers into the contract one that refers into itself.
 */
export function createWithReferenced(contract: Node): (part: Node) => Node {
  const heirs = findHeirs(contract);
  return (part) => {
    /** By their pointers, where they are in the part. */
    const places = new Map<string, string>();
    const kinds = new Map<string, Map<string, unknown>>();
    const elsewhere: unknown[] = [];
    /** Rather than recursion, whose depth would be that of the chain of references. */
    const waiting: (() => void)[] = [];

    const take = (pointer: string): string => {
      const place = places.get(pointer);
      if (place !== undefined) return place;
      const [root, kind = "", name = ""] = parsePointer(pointer);
      const isComponent = root === "components";
      const target = isComponent
        ? getMember(getMember(contract["components"], kind), name)
        : getByPointer(contract, pointer);
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
      // What a discriminator chooses from need not be said in the schema itself.
      if (kind === "schemas" && isNode(getMember(component, "discriminator")))
        for (const heir of heirs.get(name) ?? []) take(toSchemaPointer(heir));
    };

    const copy = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(copy);
      if (!isNode(value)) return value;
      return mapMembers(value, (member, key) => {
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

/** For each schema of the components, the names of those that say `allOf` it. */
function findHeirs(contract: Node): ReadonlyMap<string, readonly string[]> {
  const heirs = new Map<string, string[]>();
  const schemas = getMember(contract["components"], "schemas");
  for (const [name, schema] of Object.entries(isNode(schemas) ? schemas : {})) {
    const allOf = getMember(schema, "allOf");
    for (const part of Array.isArray(allOf) ? (allOf as unknown[]) : []) {
      const pointer = getMember(part, "$ref");
      const parent = typeof pointer === "string" ? parsePointer(pointer)[2] : undefined;
      if (parent !== undefined) heirs.set(parent, [...(heirs.get(parent) ?? []), name]);
    }
  }
  return heirs;
}

/** A mapping names a schema by reference, or by its name in the components. */
function listMapped(discriminator: unknown): readonly string[] {
  const mapping = getMember(discriminator, "mapping");
  return Object.values(isNode(mapping) ? mapping : {})
    .filter((target) => typeof target === "string")
    .map((target) => (target.startsWith("#/") ? target : toSchemaPointer(target)));
}

function toSchemaPointer(name: string): string {
  return joinPointer("#/components/schemas", name);
}
