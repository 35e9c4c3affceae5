import { isNode, type Node, toText } from "tenon/core/legacy/document";
import { getByPointer } from "tenon/core/document/pointer";

/** A node of a document, behind its reference; undefined for what is none. */
export function follow(value: unknown, document: Node): Node | undefined {
  if (!isNode(value)) return undefined;
  const reference = toText(value["$ref"]);
  const target = reference === undefined ? value : getByPointer(document, reference);
  return isNode(target) ? target : undefined;
}
