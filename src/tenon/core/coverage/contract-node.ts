import type { Node } from "../legacy/document.js";
import { getByPointer, getMember, joinPointer } from "../document/pointer.js";

/** A node of a bundled contract, and where it is: `#/paths/~1pets/get`. */
export interface At {
  readonly node: Node;
  readonly pointer: string;
}

/**
 * Finds nodes by their pointers. Does without what reads and checks contracts, because the runtime loads it: of a contract that is
 * enforced, every reference leads somewhere.
 */
export class ContractNodes {
  constructor(readonly document: Node) {}

  /** The member of a node, behind its references. */
  member(at: At, ...keys: readonly string[]): At | undefined {
    return this.resolve(keys.reduce<unknown>(getMember, at.node), joinPointer(at.pointer, ...keys));
  }

  /** Members of the object at `key`, behind their references. */
  members(at: At, key: string): readonly (At & { readonly name: string })[] {
    const parent = this.member(at, key);
    return Object.keys(parent?.node ?? {}).flatMap((name) => {
      const member = parent && this.member(parent, name);
      return member === undefined ? [] : [{ name, ...member }];
    });
  }

  /** Items of the list at `key`, behind their references. */
  items(at: At, key: string): readonly At[] {
    const list = getMember(at.node, key);
    return (Array.isArray(list) ? list : []).flatMap((_, index) => this.member(at, key, String(index)) ?? []);
  }

  private resolve(value: unknown, pointer: string): At | undefined {
    const seen = new Set<string>();
    let found = { value, pointer };
    for (;;) {
      const { value: node, pointer: where } = found;
      if (typeof node !== "object" || node === null || seen.has(where)) return undefined;
      const reference = getMember(node, "$ref");
      if (typeof reference !== "string") return { node: node as Node, pointer: where };
      seen.add(where);
      found = { value: getByPointer(this.document, reference), pointer: reference };
    }
  }
}
