import { getMembers, isNode, type Located, type Node, toNode, toText } from "./node.js";
import { getByPointer, getOwn, joinPointer, parsePointer } from "./pointer.js";

/** A node that a reference leads to, where it is, and the only name that the document has for it. */
export interface Target extends Located {
  /** `#/components/schemas/Pet`, whatever escapes the reference is written with. */
  readonly reference: string;
}

/** The version of OpenAPI that decides what the keywords of schemas mean. */
export type Dialect = "3.0" | "3.1";

/** Finds the target of a reference that is written in the node at `from`. @returns undefined when there is none. */
export type LookUp = (reference: string, from: string) => Target | undefined;

/**
 * A parsed OpenAPI document. The only code that follows `$ref`: everyone else asks for what is behind it.
 * @see https://spec.openapis.org/oas/v3.1.0#reference-object
 */
export class Source {
  readonly root: Located;
  readonly dialect: Dialect;
  readonly #lookUp: LookUp;

  /**
   * @param document A document whose references lead into itself.
   * @param lookUp Finds what references lead to elsewhere. Default: within the document.
   */
  constructor(
    readonly document: Node,
    lookUp?: LookUp,
    root = "#",
  ) {
    this.root = { node: document, pointer: root };
    this.dialect = toText(document["openapi"])?.startsWith("3.0.") === true ? "3.0" : "3.1";
    this.#lookUp = lookUp ?? ((reference) => findTarget(document, reference));
  }

  /** What a reference leads to, which may be a reference again. */
  lookUp(reference: string, from = "#"): Target | undefined {
    return this.#lookUp(reference, from);
  }

  /**
   * Follows references until there is none.
   * @returns undefined when a reference leads nowhere or back to itself.
   */
  resolve(start: Located): Located | undefined {
    let found = start;
    const seen = new Set<Node>();
    for (let reference = getReference(found.node); reference !== undefined;) {
      const target = seen.has(found.node) ? undefined : this.#lookUp(reference, found.pointer);
      if (target === undefined) return undefined;
      seen.add(found.node);
      found = { node: target.node, pointer: target.pointer };
      reference = getReference(found.node);
    }
    return found;
  }

  /** The components of a kind: `schemas`, `securitySchemes`. */
  components(kind: string): readonly (Located & { readonly name: string })[] {
    const components = {
      node: toNode(getOwn(this.document, "components")),
      pointer: `${this.root.pointer}/components`,
    };
    return getMembers(components, kind);
  }
}

/** The `$ref` of a node. */
export function getReference(node: Node): string | undefined {
  return toText(getOwn(node, "$ref"));
}

function findTarget(document: Node, reference: string): Target | undefined {
  const node = getByPointer(document, reference);
  if (!isNode(node)) return undefined;
  const pointer = joinPointer("#", ...parsePointer(reference));
  return { node, pointer, reference: pointer };
}
