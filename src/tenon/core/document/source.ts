import { getMember, getMembers, isNode, type Located, type Node, toText } from "./node.js";
import { getByPointer, getOwn, joinPointer, parsePointer } from "./pointer.js";
import { type Dialect, findDialect } from "./version.js";

/** The target of a reference: its node, its location and its normalized reference. */
export interface Target extends Located {
  /** `#/components/schemas/Pet`, with normalized escapes. */
  readonly reference: string;
}

/** Finds the target of a reference in the node at `from`. @returns undefined if there is none. */
export type LookUp = (reference: string, from: string) => Target | undefined;

/**
 * A parsed OpenAPI document. Only this class follows `$ref`.
 * @see https://spec.openapis.org/oas/v3.1.0#reference-object
 */
export class Source {
  readonly root: Located;
  readonly dialect: Dialect;
  readonly #lookUp: LookUp;

  /**
   * @param lookUp Finds the targets of references, also in other documents. Default: within the document.
   */
  constructor(
    readonly document: Node,
    lookUp?: LookUp,
  ) {
    this.root = { node: document, pointer: "#" };
    this.dialect = findDialect(document) ?? "3.1";
    this.#lookUp = lookUp ?? this.#findTarget;
  }

  /** The targets that were found in the document, by reference. */
  readonly #targets = new Map<string, Target | undefined>();

  readonly #findTarget: LookUp = (reference) => {
    if (!this.#targets.has(reference)) this.#targets.set(reference, findTarget(this.document, reference));
    return this.#targets.get(reference);
  };

  /** Returns the target of a reference, which may be a reference itself. */
  lookUp(reference: string, from = "#"): Target | undefined {
    return this.#lookUp(reference, from);
  }

  /**
   * Follows references to a node that is not a reference.
   * @returns undefined if a target is missing or the references are circular.
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

  /** Lists the components of a kind: `schemas`, `securitySchemes`. */
  components(kind: string): readonly (Located & { readonly name: string })[] {
    const components = getMember(this.root, "components");
    return components === undefined ? [] : getMembers(components, kind);
  }

  /** Lists the kinds of components in the document. */
  componentKinds(): readonly string[] {
    return getMembers(this.root, "components").map(({ name }) => name);
  }
}

/** Returns the `$ref` of a node. */
export function getReference(node: Node): string | undefined {
  return toText(getOwn(node, "$ref"));
}

/** The pointer of the `$ref` of the object at a pointer. */
export function toReferencePointer(pointer: string): string {
  return joinPointer(pointer, "$ref");
}

/** Converts a schema that is a boolean to the equivalent node. */
export function toSchemaNode(value: unknown): unknown {
  return value === true ? {} : value === false ? { not: {} } : value;
}

function findTarget(document: Node, reference: string): Target | undefined {
  const node = toSchemaNode(getByPointer(document, reference));
  if (!isNode(node)) return undefined;
  const pointer = joinPointer("#", ...parsePointer(reference));
  return { node, pointer, reference: pointer };
}
