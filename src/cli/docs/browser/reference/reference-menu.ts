import { createSearch, type Entry, type EntryGroup, flatten, toHash } from "../../paging/menu-entries.js";
import { create, createButton, createInput } from "../dom.js";

/** Results beyond these are only counted. */
const MAX_RESULTS = 100;

/**
 * Fills an element with a menu and a search over its entries.
 * @param folded Folds the contents of tags until the reader unfolds them.
 */
export function createMenu(place: HTMLElement, groups: readonly EntryGroup[], folded: boolean) {
  const links = new Map<string, HTMLAnchorElement>();
  const tree = create("div", {}, ...groups.flatMap((group) => renderGroup(group)));
  const results = create("ul");
  const status = create("output");
  const found = create("div", { hidden: true }, status, results);
  const field = createInput("search", "", { placeholder: "Search", "aria-label": "Search" });
  const search = createSearch(groups.flatMap(({ entries }) => flatten(entries)));

  const showResults = () => {
    const entries = search(field.value);
    const isSearching = field.value.trim() !== "";
    tree.hidden = isSearching;
    found.hidden = !isSearching;
    status.textContent =
      entries.length > MAX_RESULTS
        ? `${entries.length} found, the first ${MAX_RESULTS}:`
        : `${entries.length} found`;
    results.replaceChildren(
      ...entries.slice(0, MAX_RESULTS).map((entry) => create("li", {}, renderLink(entry, { path: true }))),
    );
  };
  field.addEventListener("input", showResults);
  const list = create("div", { class: "entries" }, tree, found);
  const box = create("div", { class: "tools", role: "search" }, field);
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
    if (!folded) return [create("h2", {}, name), own];
    own.hidden = true;
    const text = create("span", {}, name);
    return [create("section", {}, create("h2", { class: "row" }, text, createToggle(own, name)), own)];
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
    const row = create("div", { class: "row" }, link, createToggle(inner, entry.name));
    return create("li", {}, row, inner);
  }

  return {
    /** Marks the entry that is shown, and unfolds its tags. */
    mark(id: string) {
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
  const text = create("span", { class: "name" }, name);
  const link = create("a", { href: toHash(id) }, text);
  if (operation === undefined) return link;
  link.classList.toggle("deprecated", operation.deprecated);
  link.prepend(create("span", { class: "method" }, operation.isWebhook ? "hook" : operation.method));
  if (path) text.append(create("span", { class: "path" }, operation.path));
  return link;
}

/** Creates a button that unfolds and folds a list. */
function createToggle(list: HTMLElement, name: string): HTMLButtonElement {
  const toggle = createButton("", () => {
    list.hidden = !list.hidden;
    toggle.ariaExpanded = String(!list.hidden);
  });
  toggle.ariaLabel = name;
  toggle.ariaExpanded = String(!list.hidden);
  return toggle;
}

/** Moves the focus from one link to the next, and skips those that are folded away. */
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

/** Scrolls the list only: `scrollIntoView` would scroll the page, too. */
function scrollTo(list: HTMLElement, link: HTMLElement): void {
  const { top, bottom, height } = list.getBoundingClientRect();
  const place = link.getBoundingClientRect();
  const isHidden = place.height === 0;
  if (isHidden) return;
  if (place.top < top || place.bottom > bottom) list.scrollTop += place.top - top - height / 3;
}

/** Screens where the menu covers the content, as `reference.css` has it; Redoc changes its layout at the same width. */
const NARROW = "(max-width: 50rem)";

/** Opens and closes the menu on a narrow screen, where it covers the content. On a wide one it is always there. */
export function createDrawer(button: HTMLElement, menu: HTMLElement, content: HTMLElement) {
  const set = (isOpen: boolean) => {
    menu.classList.toggle("open", isOpen);
    button.ariaExpanded = String(isOpen);
    content.inert = isOpen;
  };
  const isOpen = () => menu.classList.contains("open");
  button.addEventListener("click", () => {
    set(!isOpen());
    if (isOpen()) menu.querySelector("input")?.focus();
  });
  menu.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !isOpen()) return;
    set(false);
    button.focus();
  });
  // A screen that is turned may have room for both.
  matchMedia(NARROW).addEventListener("change", ({ matches }) => {
    if (!matches) set(false);
  });
  button.hidden = false;
  return {
    close: () => {
      if (!isOpen()) return;
      set(false);
      content.focus({ preventScroll: true });
    },
  };
}
