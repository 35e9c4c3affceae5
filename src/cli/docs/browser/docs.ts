import type { Theme } from "./reference/redoc-options.js";
import { flatten, readHash, toEntryGroups } from "../paging/menu-entries.js";
import type { Node } from "tenon/core/document";
import { createPages, type Page } from "../paging/pages.js";
import { resolveAddresses } from "../samples/page-addresses.js";
import { createDrawer } from "./reference/drawer.js";
import { find } from "./reference/elements.js";
import { keepAccessible } from "./reference/accessibility.js";
import { createMenu } from "./reference/reference-menu.js";
import { readMenu, render } from "./reference/render-redoc.js";
import { followReading } from "./reference/follow-reading.js";

/** What `contract.js`, which the page loads before this, defines. */
declare global {
  var contract: Node;
}

const content = find("#docs");
const nav = find("#menu");
const title = document.title;

const groups = toEntryGroups(readMenu(globalThis.contract));
const pages = createPages(globalThis.contract, groups);
const menu = createMenu(nav, groups, { folded: pages.isPaged });
const drawer = createDrawer(find(".bar button"), nav, content);
nav.hidden = false;
keepAccessible(content);

let shown: { readonly page: Page; readonly theme: Theme } | undefined;

/** Shows what the address says. */
async function show(): Promise<void> {
  const id = readHash(location.hash);
  const page = pages.find(id) ?? (shown === undefined ? pages.find("") : undefined);
  if (page === undefined) return;
  // The style sheets know what was chosen, and what the system asks for.
  const theme = getComputedStyle(document.documentElement).colorScheme === "dark" ? "dark" : "light";
  if (page.key !== shown?.page.key || theme !== shown.theme) {
    const before = shown?.page.key;
    shown = { page, theme };
    const contract = resolveAddresses(page.createContract(), location.href);
    if (!(await render(content, contract, { theme, className: page.kind }))) return;
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
  // What had the focus may be gone.
  if (document.activeElement === document.body) content.focus({ preventScroll: true });
}

function mark(id: string): void {
  menu.mark(id);
  // In another version, the reader wants to see the same.
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
  if (!pages.isPaged) followReading(flatten(groups.flatMap(({ entries }) => entries)), mark);
});
