import { isNode, type Node } from "./node.js";
import { joinPointer } from "./pointer.js";
import { isData, isNamed } from "./references.js";

/** A part of a document that decides what is sent. */
export interface WirePart {
  readonly kind: "schema" | "xml" | "link" | "servers" | "security";
  readonly pointer: string;
  readonly value: unknown;
}

/**
 * Collects the parts of a document that decide what is sent, used or not: the schemas of media types, parameters, headers and
 * components, `xml`, links by `operationRef`, and the servers and security of callbacks and webhooks.
 */
export function collectWireParts(document: Node): readonly WirePart[] {
  const parts: WirePart[] = [];
  // A YAML alias is the same object as its anchor, and an anchor can contain its own alias.
  const within = new Set<object>();
  const visit = (value: unknown, pointer: string, hasNames: boolean): void => {
    if (typeof value !== "object" || value === null || within.has(value)) return;
    within.add(value);
    if (!hasNames && isNode(value) && "operationRef" in value) parts.push({ kind: "link", pointer, value });
    for (const [key, child] of Object.entries(value) as [string, unknown][]) {
      if (!hasNames && (isData(key, child) || key.startsWith("x-"))) continue;
      const at = joinPointer(pointer, key);
      const kind = COMPONENT.test(at) ? "schema" : hasNames ? undefined : toKind(key, at);
      if (kind !== undefined) parts.push({ kind, pointer: at, value: child });
      visit(child, at, !hasNames && isNamed(key, child));
    }
    within.delete(value);
  };
  visit(document, "#", false);
  return parts;
}

const COMPONENT = /^#\/components\/schemas\/[^/]+$/;
const OUTGOING = /^#\/webhooks\/|\/callbacks\//;

function toKind(key: string, pointer: string): WirePart["kind"] | undefined {
  if (key === "itemSchema") return "schema";
  if (key === "schema" || key === "xml") return key;
  return (key === "servers" || key === "security") && OUTGOING.test(pointer) ? key : undefined;
}
