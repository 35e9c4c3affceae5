import type { Node } from "tenon/core/document";
import { type Entry, type EntryGroup, flatten } from "./menu-entries.js";
import { createParts } from "./parts.js";

/** With more operations than these, the reference is shown in pages: a browser renders thousands in half a minute. */
const MAX_AT_ONCE = 100;

/** A part of the reference that is shown at a time. */
export interface Page {
  /** `whole`, the id of the operation or tag, or empty for the introduction. */
  readonly key: string;
  readonly kind: "whole" | "introduction" | "tag" | "operation";
  /** Name of the operation or tag. */
  readonly name: string | undefined;
  readonly createContract: () => Node;
}

export function createPages(contract: Node, groups: readonly EntryGroup[]) {
  const entries = groups.flatMap((group) => group.entries);
  const all = flatten(entries);
  if (all.filter(({ operation }) => operation !== undefined).length <= MAX_AT_ONCE) {
    const whole: Page = { key: "whole", kind: "whole", name: undefined, createContract: () => contract };
    return { isPaged: false, find: () => whole };
  }

  const parts = createParts(contract);
  const introduction: Page = {
    key: "",
    kind: "introduction",
    name: undefined,
    createContract: parts.introduction,
  };
  const pages = new Map<string, Page>([["", introduction]]);
  const addAll = (list: readonly Entry[], tag: Entry | undefined, around: Page) => {
    for (const entry of list) {
      const { id, kind, name } = entry;
      const createContract = () => (kind === "tag" ? parts.tag(entry) : parts.operation(entry, tag));
      const page = kind === "section" ? around : { key: id, kind, name, createContract };
      for (const own of [entry.alias, id]) if (!pages.has(own)) pages.set(own, page);
      addAll(entry.entries, kind === "tag" ? entry : tag, page);
    }
  };
  addAll(entries, undefined, introduction);
  /** Finds the page with an id of the menu, or one of Redoc's below it, which begin with the menu's. */
  const find = (id: string): Page | undefined => {
    const end = id.lastIndexOf("/");
    return pages.get(id) ?? (end > 0 ? find(id.slice(0, end)) : undefined);
  };
  return { isPaged: true, find };
}
