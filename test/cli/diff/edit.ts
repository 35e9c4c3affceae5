import { getValue, type Node, parsePointer, toNode } from "../../../src/tenon/core/document/index.js";

/** Changes of a document, by JSON pointer. */
export interface Edit {
  readonly set?: Readonly<Record<string, unknown>>;
  readonly remove?: readonly string[];
}

/** Applies an edit. What it does not change is shared with the document. */
export function applyEdit(document: Node, { set = {}, remove = [] }: Edit): Node {
  const edits = [
    ...remove.map((pointer) => [pointer, undefined] as const),
    ...Object.entries(set).map(([pointer, value]) => [pointer, { value }] as const),
  ];
  return edits.reduce<unknown>(
    (edited, [pointer, member]) => change(edited, parsePointer(pointer), member),
    document,
  ) as Node;
}

/** Replaces a member at any depth, or removes it. Missing owners are added. */
function change(
  owner: unknown,
  [key = "", ...rest]: readonly string[],
  member: { readonly value: unknown } | undefined,
): unknown {
  const found = rest.length === 0 ? member : { value: change(getValue(owner, key), rest, member) };
  if (Array.isArray(owner)) return owner.toSpliced(Number(key), 1, ...(found ? [found.value] : []));
  if (found !== undefined) return { ...toNode(owner), [key]: found.value };
  return Object.fromEntries(Object.entries(toNode(owner)).filter(([name]) => name !== key));
}
