import {
  type DocumentContext,
  getSchemas,
  isNode,
  type Located,
  type Node,
  toText,
} from "tenon/core/legacy/document";
import { getByPointer, getOwn } from "tenon/core/document/pointer";
import { expandHierarchies, redirect } from "tenon/core/legacy/hierarchy";

/** One side of a comparison: a bundled document, read without minding how it is written. */
export interface View {
  /** With hierarchies of `allOf` and `discriminator` as the unions that they mean. */
  readonly document: Node;
  readonly root: Located;
  /** OpenAPI 3.0: `nullable`, boolean exclusive bounds, and a `$ref` whose siblings are ignored. */
  readonly dialect30: boolean;
  readonly schemas: Node;
  /** Follows one `$ref`: in 3.1 a schema that it leads to may have one with siblings again. */
  follow(start: Located): Located;
  /** Follows `$ref`s until there is none. A reference that leads nowhere is what was written. */
  resolve(start: Located): Located;
}

export function createView(document: Node): View {
  const declared = getOwn(document, "components");
  const schemas = expandHierarchies(getSchemas(document));
  const components = { ...(isNode(declared) && declared), schemas };
  const context: Pick<DocumentContext, "document"> = { document: { ...document, components } };
  const targets = new Map<string, Located | undefined>();

  const find = (reference: string): Located | undefined => {
    if (targets.has(reference)) return targets.get(reference);
    const pointer = redirect(reference, schemas);
    const node = getByPointer(context.document, pointer);
    const found = isNode(node) ? { node, pointer } : undefined;
    targets.set(reference, found);
    return found;
  };
  return {
    document: context.document,
    root: { node: context.document, pointer: "#" },
    dialect30: toText(document["openapi"])?.startsWith("3.0.") ?? false,
    schemas,
    follow(start) {
      const reference = toText(start.node["$ref"]);
      return (reference === undefined ? undefined : find(reference)) ?? start;
    },
    resolve(start) {
      let found = start;
      const seen = new Set<Node>();
      for (let reference = toText(found.node["$ref"]); reference !== undefined;) {
        const target = find(reference);
        if (target === undefined || seen.has(target.node)) return found;
        seen.add(target.node);
        found = target;
        reference = toText(found.node["$ref"]);
      }
      return found;
    },
  };
}

/** Who sends what a schema describes, seen from the API: requests have no `readOnly` members, responses no `writeOnly` ones. */
export type Direction = "request" | "response";
