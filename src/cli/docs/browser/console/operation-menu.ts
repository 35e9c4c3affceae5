import type { Entry } from "../../console/callable.js";
import { create } from "./dom.js";

export interface Menu {
  readonly element: HTMLElement;
  /** Marks the operation that is shown, and unfolds what it is in. */
  mark(entry: Entry): void;
}

/** So many operations are shown unfolded. */
const FEW = 60;

interface Link {
  readonly entry: Entry;
  readonly item: HTMLLIElement;
  readonly anchor: HTMLAnchorElement;
  /** What the filter looks at. */
  readonly text: string;
}

interface Group {
  readonly details: HTMLDetailsElement;
  readonly links: readonly Link[];
}

/** The operations by tag, with a filter. Each is a link to its address on this page. */
export function createMenu(entries: readonly Entry[]): Menu {
  const groups = groupByTag(entries).map(([tag, own]) => createGroup(tag, own, entries.length <= FEW));
  const filter = create("input", {
    type: "search",
    "aria-label": "Filter operations",
    placeholder: "Filter operations",
    autocomplete: "off",
  });
  const told = create("p", { role: "status", class: "faint" });
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/\s+/);
    let found = 0;
    for (const { details, links } of groups) {
      let own = 0;
      for (const { item, text } of links) {
        const isFound = words.every((word) => text.includes(word));
        item.hidden = !isFound;
        own += isFound ? 1 : 0;
      }
      details.hidden = own === 0;
      if (filter.value !== "") details.open = true;
      found += own;
    }
    told.textContent = filter.value === "" ? "" : found === 1 ? "1 operation" : `${found} operations`;
  });
  const element = create(
    "nav",
    { "aria-label": "Operations" },
    filter,
    told,
    ...groups.map(({ details }) => details),
  );
  return {
    element,
    mark(entry) {
      for (const { details, links } of groups) {
        for (const link of links) {
          if (link.entry === entry) link.anchor.setAttribute("aria-current", "page");
          else link.anchor.removeAttribute("aria-current");
        }
        if (links.some((link) => link.entry === entry)) details.open = true;
      }
    },
  };
}

/** In the order in which the tags come first. */
function groupByTag(entries: readonly Entry[]): readonly (readonly [string, readonly Entry[]])[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    for (const tag of entry.tags.length === 0 ? ["Others"] : entry.tags)
      groups.set(tag, [...(groups.get(tag) ?? []), entry]);
  }
  return [...groups];
}

function createGroup(tag: string, entries: readonly Entry[], open: boolean): Group {
  const links = entries.map(createLink);
  const list = create("ul", { role: "list" }, ...links.map(({ item }) => item));
  return { details: create("details", { open }, create("summary", {}, tag), list), links };
}

function createLink(entry: Entry): Link {
  const { id, method, path, summary, lifecycle } = entry;
  const anchor = create(
    "a",
    { href: toHash(entry) },
    create("span", { class: `method ${method}` }, method.toUpperCase()),
    " ",
    create("span", lifecycle?.deprecated ? { class: "gone" } : {}, summary === "" ? path : summary),
    lifecycle?.deprecated ? create("span", { class: "faint" }, " deprecated") : undefined,
  );
  const text = [id, method, path, summary].join(" ").toLowerCase();
  return { entry, item: create("li", {}, anchor), anchor, text };
}

export function toHash({ id }: Pick<Entry, "id">): string {
  return `#operation/${encodeURIComponent(id.toWellFormed())}`;
}
