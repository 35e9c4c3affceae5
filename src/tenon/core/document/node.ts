import { getOwn, joinPointer } from "./pointer.js";

/** An object of a parsed document. Its members are unknown until they are checked: the document is input. */
export type Node = Readonly<Record<string, unknown>>;

/** A part of a document and its JSON pointer, as a URI fragment: `#/paths/~1pets/get`. */
export interface Placed {
  readonly pointer: string;
}

/** A node in its place. */
export interface Located extends Placed {
  readonly node: Node;
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object, otherwise an object without members. */
export function toNode(value: unknown): Node {
  return isNode(value) ? value : {};
}

export function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns the members with these keys that are texts. */
export function pickTexts<Key extends string>(
  node: Node,
  ...keys: readonly Key[]
): Readonly<Partial<Record<Key, string>>> {
  const texts: Partial<Record<Key, string>> = {};
  for (const key of keys) {
    const value = getOwn(node, key);
    if (typeof value === "string") texts[key] = value;
  }
  return texts;
}

export function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function toStrings(value: unknown): string[] {
  return toArray(value).filter((item) => typeof item === "string");
}

/** Returns the member of a node if it is a node. */
export function getMember({ node, pointer }: Located, key: string): Located | undefined {
  const member = getOwn(node, key);
  return isNode(member) ? { node: member, pointer: joinPointer(pointer, key) } : undefined;
}

/** Lists the members of the object at `key` that are nodes. `__proto__` and `constructor` are ordinary names. */
export function getMembers(owner: Located, key: string): readonly (Located & { readonly name: string })[] {
  const parent = getMember(owner, key);
  if (parent === undefined) return [];
  return Object.keys(parent.node).flatMap((name) => {
    const member = getMember(parent, name);
    return member === undefined ? [] : [{ name, ...member }];
  });
}

/** Lists the items of the array at `key` that are nodes. */
export function getItems({ node, pointer }: Located, key: string): readonly Located[] {
  return toArray(getOwn(node, key)).flatMap((item, index) =>
    isNode(item) ? [{ node: item, pointer: joinPointer(pointer, key, index) }] : [],
  );
}
