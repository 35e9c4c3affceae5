/** An object of a contract. */
export type Node = Readonly<Record<string, unknown>>;

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function toNode(value: unknown): Node {
  return isNode(value) ? value : {};
}

/** `Object.fromEntries` keeps a member called `__proto__` a member. */
export function mapMembers(node: Node, map: (member: unknown, key: string) => unknown): Node {
  return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, map(member, key)]));
}
