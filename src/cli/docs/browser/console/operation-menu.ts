import type { Entry } from "../../console/callable.js";
import { create, createDetails, createInput } from "../dom.js";

/** Tags are folded when there are more operations than these. */
const MAX_UNFOLDED = 60;

/** Creates the list of operations by tag, with a filter. Each is a link to its address on this page. */
export function createMenu(entries: readonly Entry[]) {
  const groups = groupByTag(entries).map(([tag, own]) => {
    const links = own.map(createLink);
    const list = create("ul", { role: "list" }, ...links.map(({ item }) => item));
    const details = createDetails(tag, list);
    details.open = entries.length <= MAX_UNFOLDED;
    return { details, links };
  });
  const label = "Filter operations";
  const filter = createInput("search", "", { "aria-label": label, placeholder: label });
  const status = create("p", { role: "status", class: "faint" });
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/\s+/);
    for (const { details, links } of groups) {
      for (const { item, text } of links) item.hidden = !words.every((word) => text.includes(word));
      details.hidden = links.every(({ item }) => item.hidden);
      if (filter.value !== "") details.open = true;
    }
    const found = groups.flatMap(({ links }) => links.filter(({ item }) => !item.hidden)).length;
    status.textContent = filter.value === "" ? "" : found === 1 ? "1 operation" : `${found} operations`;
  });
  const lists = groups.map(({ details }) => details);
  return {
    element: create("nav", { "aria-label": "Operations" }, filter, status, ...lists),
    /** Marks the operation that is shown, and unfolds its tags. */
    mark(entry: Entry) {
      for (const { details, links } of groups) {
        for (const link of links) {
          const isShown = link.entry === entry;
          link.anchor.ariaCurrent = isShown ? "page" : null;
          if (isShown) details.open = true;
        }
      }
    },
  };
}

/** Groups operations by tag, in the order of the tags' first operations. */
function groupByTag(entries: readonly Entry[]): readonly (readonly [string, readonly Entry[]])[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    for (const tag of entry.tags.length === 0 ? ["Others"] : entry.tags)
      groups.set(tag, [...(groups.get(tag) ?? []), entry]);
  }
  return [...groups];
}

function createLink(entry: Entry) {
  const { id, method, path, summary, lifecycle } = entry;
  const isDeprecated = lifecycle?.deprecated === true;
  const anchor = create(
    "a",
    { href: toHash(entry) },
    create("span", { class: `method ${method}` }, method.toUpperCase()),
    " ",
    create("span", { class: isDeprecated ? "gone" : undefined }, summary === "" ? path : summary),
    isDeprecated ? create("span", { class: "faint" }, " deprecated") : undefined,
  );
  const text = [id, method, path, summary].join(" ").toLowerCase();
  return { entry, item: create("li", {}, anchor), anchor, text };
}

export function toHash({ id }: Pick<Entry, "id">): string {
  return `#operation/${encodeURIComponent(id.toWellFormed())}`;
}
