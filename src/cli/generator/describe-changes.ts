import { getByPointer, isNode, joinPointer } from "tenon/core/document";
import { buildContract, toOperationLabel } from "tenon/core/model";

/**
 * Lists the operations and components that differ between two bundled documents: `added operation GET /pets (listPets)`. A change of
 * an operation includes the parameters of its path item, but not the components that it refers to, which are listed separately.
 * @param before Text of the previous contract.json; empty if there is none.
 * @param after Text of the new contract.json.
 */
export function describeChanges(before: string, after: string): readonly string[] {
  const old = listParts(before);
  const current = listParts(after);
  const removed = [...old.keys()].filter((name) => !current.has(name)).map((name) => `removed ${name}`);
  const others = [...current].flatMap(([name, text]) => {
    if (!old.has(name)) return [`added ${name}`];
    return old.get(name) === text ? [] : [`changed ${name}`];
  });
  return [...removed, ...others];
}

/** Returns the text of each operation and component, by label. */
function listParts(text: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  const document = parse(text);
  if (!isNode(document)) return parts;
  const { operations, registry } = buildContract(document);
  for (const operation of operations) {
    const { id, hasId, pathItem } = operation;
    const label = `operation ${toOperationLabel(operation)}${hasId ? ` (${id})` : ""}`;
    const pointers = [operation.pointer, joinPointer(pathItem.pointer, "parameters")];
    parts.set(label, JSON.stringify(pointers.map((pointer) => getByPointer(document, pointer))));
  }
  const { source } = registry;
  for (const kind of source.componentKinds())
    for (const { name, pointer } of source.components(kind))
      parts.set(`component ${kind}/${name}`, JSON.stringify(getByPointer(document, pointer)));
  return parts;
}

/** Parses contract.json; a damaged file counts as empty. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
