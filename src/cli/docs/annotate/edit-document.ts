import { isNode, type Node, parsePointer } from "tenon/core/document";

/** Makes a new node of one; its members are edited already. */
export type Edit = (node: Node) => Node;

interface Branch {
  readonly children: Map<string, Branch>;
  edit?: Edit;
}

/** Copies a document with other nodes at some JSON pointers. What is not edited is shared with the original. */
export function editDocument(document: Node, edits: ReadonlyMap<string, Edit>): Node {
  const root: Branch = { children: new Map() };
  for (const [pointer, edit] of edits) {
    let branch = root;
    for (const key of parsePointer(pointer)) {
      const child = branch.children.get(key) ?? { children: new Map() };
      branch.children.set(key, child);
      branch = child;
    }
    branch.edit = edit;
  }
  return apply(document, root) as Node;
}

function apply(value: unknown, { children, edit }: Branch): unknown {
  const applyTo = (member: unknown, key: string | number): unknown => {
    const branch = children.get(String(key));
    return branch === undefined ? member : apply(member, branch);
  };
  if (Array.isArray(value)) return value.map(applyTo);
  if (!isNode(value)) return value;
  // `Object.fromEntries` keeps a member called `__proto__` a member.
  const edited =
    children.size === 0
      ? value
      : Object.fromEntries(Object.entries(value).map(([key, member]) => [key, applyTo(member, key)]));
  return edit?.(edited) ?? edited;
}
