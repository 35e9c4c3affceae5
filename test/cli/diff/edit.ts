import type { Node } from "../../../src/tenon/core/document/index.js";

/** Changes of a document, by JSON pointer. */
export interface Edit {
  readonly set?: Readonly<Record<string, unknown>>;
  readonly remove?: readonly string[];
}

/** Applies an edit to a copy of a document. */
export function applyEdit(document: Node, { set = {}, remove = [] }: Edit): Node {
  const edited = structuredClone(document);
  for (const pointer of remove) {
    const [owner, key] = find(edited, pointer);
    Reflect.deleteProperty(owner, key);
  }
  for (const [pointer, value] of Object.entries(set)) {
    const [owner, key] = find(edited, pointer);
    owner[key] = structuredClone(value);
  }
  return edited;
}

function find(document: Node, pointer: string): readonly [owner: Record<string, unknown>, key: string] {
  const keys = pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  let owner = document as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) owner = (owner[key] ??= {}) as Record<string, unknown>;
  return [owner, keys.at(-1) ?? ""];
}
