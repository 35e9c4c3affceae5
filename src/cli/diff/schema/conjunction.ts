import type { Located, Node } from "tenon/core/legacy/document";
import { ANYTHING, type Conjunction, NEVER } from "./shape.js";

const ids = new WeakMap<Node, number>();
let last = 0;

/** Schemas of one document that all hold. `true` says nothing, and with `false` there is no value. */
export function toConjunction(parts: readonly (Located | boolean)[]): Conjunction {
  if (parts.includes(false)) return NEVER;
  const nodes = new Map<number, Located>();
  for (const part of parts) {
    if (typeof part !== "boolean" && Object.keys(part.node).length > 0) nodes.set(idOf(part.node), part);
  }
  if (nodes.size === 0) return ANYTHING;
  const key = [...nodes.keys()].sort((a, b) => a - b).join(",");
  return { key, parts: [...nodes.values()] };
}

export function join(a: Conjunction, b: Conjunction): Conjunction {
  if (a.key === b.key || b.key === "") return a;
  if (a.key === "") return b;
  return toConjunction([...a.parts, ...b.parts]);
}

export function isNever({ key }: Conjunction): boolean {
  return key === NEVER.key;
}

export function isAnything({ key }: Conjunction): boolean {
  return key === ANYTHING.key;
}

function idOf(node: Node): number {
  const known = ids.get(node);
  if (known !== undefined) return known;
  last += 1;
  ids.set(node, last);
  return last;
}
