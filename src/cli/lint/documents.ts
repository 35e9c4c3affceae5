import { dirname, relative, sep } from "node:path";
import type { Location, LocationObject, UserContext } from "@redocly/openapi-core";
import {
  getByPointer,
  isNode,
  joinPointer,
  type Node,
  parsePointer,
  type Target,
  toSchemaNode,
} from "tenon/core/document";

type Source = Location["source"];

/**
 * The documents of a contract that Redocly has read. A pointer in the root document starts with `#`. In another document it starts
 * with the path from the root document's folder, or with the URL: `schemas/pet.yaml#/properties/name`.
 */
export class Documents {
  readonly #context: UserContext;
  /** Sources by the part of a pointer before `#`. */
  readonly #sources: Map<string, Source>;
  /** The targets of references, and the root, by pointer. */
  readonly #targets: Map<string, Node>;
  readonly #firstPointers = new WeakMap<object, string>();

  constructor(root: Node, context: UserContext) {
    this.#context = context;
    this.#sources = new Map([["", context.location.source]]);
    this.#targets = new Map([["#", root]]);
  }

  /** Finds the target of a reference in the node at `from`. */
  lookUp(reference: string, from: string): Target | undefined {
    const resolved = this.#context.resolve({ $ref: reference }, this.locate(from).source.absoluteRef);
    // The direct target. Redocly resolves further if it is a reference with sibling keywords, which is a separate schema.
    const { node: value, location } = resolved.chain?.[0] ?? resolved;
    const node = toSchemaNode(value);
    if (!isNode(node) || location === undefined) return from === "#" ? this.#find(reference) : undefined;
    const pointer = this.#toPointer(location);
    this.#targets.set(pointer, node);
    return { node, pointer, reference: pointer };
  }

  /** Converts a pointer to a location of Redocly's. */
  locate(pointer: string): LocationObject & { readonly source: Source } {
    const start = pointer.indexOf("#");
    const source = this.#sources.get(pointer.slice(0, start));
    if (source === undefined)
      throw new Error(`Expected a pointer in a document of the contract; found ${pointer}`);
    const fragment = pointer.slice(start);
    return { source, pointer: fragment === "#" ? "#/" : fragment };
  }

  /** Finds the first pointer of a value: a YAML alias is the same value as its anchor. */
  toFirstPointer(pointer: string): string {
    const end = pointer.lastIndexOf("/");
    const parent = end < 0 ? undefined : this.#find(pointer.slice(0, end))?.node;
    if (parent === undefined) return pointer;
    const first = this.#firstPointers.get(parent) ?? pointer.slice(0, end);
    this.#firstPointers.set(parent, first);
    return first + pointer.slice(end);
  }

  #find(pointer: string): Target | undefined {
    let known = pointer;
    while (known !== "" && !this.#targets.has(known))
      known = known.slice(0, Math.max(0, known.lastIndexOf("/")));
    const target = this.#targets.get(known);
    const rest = pointer.slice(known.length);
    const node =
      rest === "" || target === undefined ? target : toSchemaNode(getByPointer(target, `#${rest}`));
    return isNode(node) ? { node, pointer, reference: pointer } : undefined;
  }

  #toPointer({ source, pointer }: Location): string {
    const { absoluteRef } = source;
    const root = this.locate("#").source.absoluteRef;
    const isUrl = /^\w{2,}:/.test(absoluteRef);
    const path = isUrl ? absoluteRef : relative(dirname(root), absoluteRef).split(sep).join("/");
    const file = absoluteRef === root ? "" : path;
    this.#sources.set(file, source);
    return pointer === "#/" ? `${file}#` : joinPointer(`${file}#`, ...parsePointer(pointer));
  }
}
