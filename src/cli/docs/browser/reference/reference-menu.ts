import { type Entry, type EntryGroup, flatten, toHash } from "../../paging/menu-entries.js";
import { createSearch } from "../../paging/search.js";
import { create } from "./elements.js";

/** Results beyond these are only counted. */
const MOST_RESULTS = 100;

export interface MenuOptions {
  /** Whether what tags contain is folded until it is asked for. */
  readonly folded: boolean;
}

/** The entries of the menu, and a search over them. */
export interface Menu {
  /** Marks the entry of what is shown, and unfolds what it is in. */
  readonly mark: (id: string) => void;
}

/** Fills an element with a menu. */
export function createMenu(place: HTMLElement, groups: readonly EntryGroup[], { folded }: MenuOptions): Menu {
  const links = new Map<string, HTMLAnchorElement>();
  const tree = create("div", {}, ...groups.flatMap((group) => renderGroup(group)));
  const results = create("ul");
  const told = create("output");
  const found = create("div", { hidden: true }, told, results);
  const field = create("input", {
    type: "search",
    placeholder: "Search",
    ariaLabel: "Search",
    autocomplete: "off",
  });
  const search = createSearch(groups.flatMap(({ entries }) => flatten(entries)));

  const showResults = () => {
    const entries = search(field.value);
    const isSearching = field.value.trim() !== "";
    tree.hidden = isSearching;
    found.hidden = !isSearching;
    told.textContent =
      entries.length > MOST_RESULTS
        ? `${entries.length} found, the first ${MOST_RESULTS}:`
        : `${entries.length} found`;
    results.replaceChildren(
      ...entries.slice(0, MOST_RESULTS).map((entry) => create("li", {}, renderLink(entry, { path: true }))),
    );
  };
  field.addEventListener("input", showResults);
  const list = create("div", { className: "entries" }, tree, found);
  const box = create("div", { className: "tools" }, field);
  box.role = "search";
  place.querySelector(".title")?.after(box, list);
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter") results.querySelector("a")?.click();
    if (event.key !== "Escape" || field.value === "") return;
    field.value = "";
    showResults();
    // The next time it closes the menu.
    event.stopPropagation();
  });
  place.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && moveFocus(place, step)) event.preventDefault();
  });

  function renderGroup({ name, entries }: EntryGroup): HTMLElement[] {
    const own = renderEntries(entries);
    if (name === undefined) return [own];
    if (!folded) return [create("h2", { textContent: name }), own];
    own.hidden = true;
    const text = create("span", { textContent: name });
    return [create("section", {}, create("h2", { className: "row" }, text, createToggle(own, name)), own)];
  }

  function renderEntries(entries: readonly Entry[]): HTMLElement {
    return create("ul", {}, ...entries.map(renderEntry));
  }

  function renderEntry(entry: Entry): HTMLElement {
    const link = renderLink(entry);
    for (const id of [entry.id, entry.alias]) links.set(id, link);
    if (entry.entries.length === 0) return create("li", {}, link);
    const inner = renderEntries(entry.entries);
    inner.hidden = folded;
    const row = create("div", { className: "row" }, link, createToggle(inner, entry.name));
    return create("li", {}, row, inner);
  }

  return {
    mark(id) {
      for (const link of links.values()) link.ariaCurrent = null;
      const link = links.get(id);
      if (link === undefined) return;
      link.ariaCurrent = "location";
      for (const toggle of place.querySelectorAll<HTMLElement>("[aria-expanded=false]"))
        if (toggle.parentElement?.parentElement?.contains(link) === true) toggle.click();
      scrollTo(list, link);
    },
  };
}

function renderLink({ id, name, operation }: Entry, { path = false } = {}): HTMLAnchorElement {
  const text = create("span", { className: "name", textContent: name });
  const link = create("a", { href: toHash(id) }, text);
  if (operation === undefined) return link;
  link.classList.toggle("deprecated", operation.deprecated);
  link.prepend(
    create("span", { className: "method", textContent: operation.isWebhook ? "hook" : operation.method }),
  );
  if (path) link.lastElementChild?.append(create("span", { className: "path", textContent: operation.path }));
  return link;
}

/** A button that unfolds a list, and folds it again. */
function createToggle(list: HTMLElement, name: string): HTMLButtonElement {
  const toggle = create("button", { type: "button", ariaLabel: name, ariaExpanded: String(!list.hidden) });
  toggle.addEventListener("click", () => {
    list.hidden = !list.hidden;
    toggle.ariaExpanded = String(!list.hidden);
  });
  return toggle;
}

/** From one link to the next, over those that are folded away. */
function moveFocus(place: HTMLElement, step: number): boolean {
  const stops = [...place.querySelectorAll<HTMLElement>("input, .entries a")].filter(
    (stop) => stop.getClientRects().length > 0,
  );
  const index = stops.findIndex((stop) => stop === document.activeElement);
  const next = stops[index + step];
  if (index === -1 || next === undefined) return false;
  next.focus();
  return true;
}

/** Unlike `scrollIntoView`, it leaves the page where it is. */
function scrollTo(list: HTMLElement, link: HTMLElement): void {
  const { top, bottom, height } = list.getBoundingClientRect();
  const place = link.getBoundingClientRect();
  const isHidden = place.height === 0;
  if (isHidden) return;
  if (place.top < top || place.bottom > bottom) list.scrollTop += place.top - top - height / 3;
}
