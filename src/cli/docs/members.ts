import { isNode, type Node } from "tenon/core/legacy/document";

/** Of what may be no object, an object without members. */
export function toNode(value: unknown): Node {
  return isNode(value) ? value : {};
}

/** `Object.fromEntries` keeps a member called `__proto__` a member. */
export function mapMembers(node: Node, map: (member: unknown, key: string) => unknown): Node {
  return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, map(member, key)]));
}
