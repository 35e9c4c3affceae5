import type { ContractProblemCode } from "../document/contract-error.js";
import { redirect } from "./hierarchy.js";
import { getByPointer, getOwn, joinPointer } from "../document/pointer.js";

/** A node of the parsed document. Its members are unknown until somebody looks: the document is input. */
export type Node = Readonly<Record<string, unknown>>;

/** A node and where it is in the bundled document, as a URI fragment: `#/paths/~1pets/get`. */
export interface Located {
  readonly node: Node;
  readonly pointer: string;
}

/** Reports one problem with the node at `pointer` of the bundled document. */
export type Report = (code: ContractProblemCode, pointer: string, message: string, hint?: string) => void;

/** The bundled document that a model is built from, and where to report what is wrong with it. */
export interface DocumentContext {
  readonly document: Node;
  readonly report: Report;
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function toStrings(value: unknown): string[] {
  return toArray(value).filter((item) => typeof item === "string");
}

export function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Own members of a node that are nodes themselves, with their pointers. `__proto__` and `constructor` are names like any other. */
export function members(
  { node, pointer }: Located,
  key: string,
): readonly (Located & { readonly name: string })[] {
  const parent = getOwn(node, key);
  if (!isNode(parent)) return [];
  return Object.entries(parent).flatMap(([name, child]) =>
    isNode(child) ? [{ name, node: child, pointer: joinPointer(pointer, key, name) }] : [],
  );
}

/** Items of a list that are nodes, with their pointers. */
export function items({ node, pointer }: Located, key: string): readonly Located[] {
  return toArray(node[key]).flatMap((child, index) =>
    isNode(child) ? [{ node: child, pointer: joinPointer(pointer, key, index) }] : [],
  );
}

/** The member of a node, behind its references; undefined where it has none, or none that is found. */
export function resolveMember(
  { node, pointer }: Located,
  key: string,
  context: DocumentContext,
): Located | undefined {
  const member = getOwn(node, key);
  return isNode(member) ? resolve({ node: member, pointer: joinPointer(pointer, key) }, context) : undefined;
}

/**
 * Follows `$ref`s within the bundled document until there is none.
 * @returns undefined, and a problem is reported, when the reference leads nowhere or in a circle.
 */
export function resolve(start: Located, { document, report }: DocumentContext): Located | undefined {
  const seen = new Set<string>();
  let { node, pointer } = start;
  for (let reference = toText(node["$ref"]); reference !== undefined; reference = toText(node["$ref"])) {
    const found = redirect(reference, getSchemas(document));
    const target = seen.has(reference) ? undefined : getByPointer(document, found);
    if (!isNode(target)) {
      report("reference-unresolved", start.pointer, `Cannot resolve $ref "${reference}"`);
      return undefined;
    }
    seen.add(reference);
    node = target;
    pointer = found;
  }
  return { node, pointer };
}

/** The schema components of a document. */
export function getSchemas(document: Node): Node {
  const components = getOwn(document, "components");
  const schemas = isNode(components) ? getOwn(components, "schemas") : undefined;
  return isNode(schemas) ? schemas : {};
}
