import type { Node } from "tenon/core/document";
import { type Entry, flatten, readHash, toEntryGroups, toHash } from "../paging/menu-entries.js";
import { createPages, type Page } from "../paging/pages.js";
import { resolveAddresses } from "../samples/page-addresses.js";
import { find } from "./dom.js";
import { keepAccessible } from "./reference/accessibility.js";
import { readMenu, render, type Theme } from "./reference/redoc.js";
import { createDrawer, createMenu } from "./reference/reference-menu.js";

/** The contract, which `contract.js` defines before this script runs. */
declare global {
  var contract: Node;
}

const content = find("#docs");
const nav = find("#menu");
const title = document.title;

const groups = toEntryGroups(readMenu(globalThis.contract));
const pages = createPages(globalThis.contract, groups);
const menu = createMenu(nav, groups, pages.isPaged);
const drawer = createDrawer(find(".bar button"), nav, content);
nav.hidden = false;
keepAccessible(content);

/** The fragment of the address that was last shown or written; another one is about to be shown. */
let fragment = location.hash;
let shown: { readonly page: Page; readonly theme: Theme } | undefined;

/** Shows the page of the address. */
async function show(): Promise<void> {
  fragment = location.hash;
  const id = readHash(fragment);
  const page = pages.find(id) ?? (shown === undefined ? pages.find("") : undefined);
  if (page === undefined) return;
  // The style sheets apply the reader's choice and the system's setting.
  const theme = getComputedStyle(document.documentElement).colorScheme === "dark" ? "dark" : "light";
  if (page.key !== shown?.page.key || theme !== shown.theme) {
    const before = shown?.page.key;
    shown = { page, theme };
    const contract = resolveAddresses(page.createContract(), location.href);
    if (!(await render(content, contract, theme, page.kind))) return;
    document.title = page.name === undefined ? title : `${page.name} · ${title}`;
    if (before !== undefined && before !== page.key) announce(page);
  }
  const place = page.key === id ? null : document.getElementById(id);
  if (place !== null) place.scrollIntoView();
  else if (page.kind !== "whole") scrollTo(0, 0);
  mark(id);
}

/** Announces to screen readers that another page is shown. */
function announce({ name }: Page): void {
  find(".spoken").textContent = name ?? title;
  // The element with the focus may be gone.
  if (document.activeElement === document.body) content.focus({ preventScroll: true });
}

function mark(id: string): void {
  menu.mark(id);
  // The links to other versions lead to the same place.
  for (const link of nav.querySelectorAll<HTMLAnchorElement>(".versions a")) link.hash = location.hash;
}

addEventListener("hashchange", () => {
  drawer.close();
  void show();
});
nav.addEventListener("click", ({ target }) => {
  // Also to where the address is already.
  if (target instanceof Element && target.closest(".entries a") !== null) drawer.close();
});
// Redoc would change the address without an event.
content.addEventListener(
  "click",
  (event) => {
    if (event.target instanceof Element && event.target.closest("a[href^='#']") !== null)
      event.stopPropagation();
  },
  { capture: true },
);
find(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  content.focus();
});

const update = () => void show();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", update);
new MutationObserver(update).observe(document.documentElement, { attributeFilter: ["data-theme"] });

void show().then(() => {
  if (!pages.isPaged) followReading(flatten(groups.flatMap(({ entries }) => entries)));
});

/** Keeps the address at the place that is read, so that it can be shared, and is shown again when the page is reloaded. */
function followReading(entries: readonly Entry[]): void {
  let isWaiting = false;
  addEventListener("scroll", () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      const id = findRead(entries)?.id ?? "";
      // A link was followed, and its place is not shown yet.
      if (location.hash !== fragment || id === readHash(fragment)) return;
      const { pathname, search } = location;
      history.replaceState(null, "", id === "" ? pathname + search : toHash(id));
      fragment = location.hash;
      mark(id);
    });
  });
}

/** Finds the last entry that begins above the top, or up to 8 pixels below it; none at the beginning. */
function findRead(entries: readonly Entry[]): Entry | undefined {
  const top = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  return entries.findLast(({ alias }) => {
    const place = document.getElementById(alias);
    return place !== null && place.getBoundingClientRect().top <= top + 8;
  });
}
