import { fromFragment, toFragment } from "../render/ids.js";
import { toAddress } from "../samples/page-addresses.js";
import { createCopyButton, find } from "./dom.js";
import { createMenu } from "./reference/menu.js";
import { createSearch, loadEntries } from "./reference/search.js";
import { createTabs } from "./reference/tabs.js";
import { prepareConsole } from "./reference/try.js";

/** The script of the reference: tabs, menu, search, copying, and what depends on the page's address or the day. */
const content = find("#content");

for (const tabs of content.querySelectorAll<HTMLElement>(".tabs")) createTabs(tabs);
createMenu(find(".menu-button"), find("#menu"), content);
createSearch(find(".search"));
prepareConsole(content);
completeAddresses();
addCopyButtons();
markEnded();
unfoldForPrint();
keepPlace();
void showPlace();
addEventListener("hashchange", () => void showPlace());

/** Completes addresses that are relative to the page. */
function completeAddresses(): void {
  for (const element of content.querySelectorAll<HTMLElement>("[data-address]")) {
    const address = toAddress(element.dataset["address"] ?? "", location.href);
    if (address !== undefined) element.textContent = address;
  }
}

function addCopyButtons(): void {
  for (const block of content.querySelectorAll<HTMLElement>(".code"))
    block.append(createCopyButton("Copy", () => block.querySelector("code")?.textContent ?? ""));
  const twin = content.querySelector<HTMLAnchorElement>(".page-actions a:not(.around)");
  // A page from a folder may not fetch.
  if (twin === null || location.protocol === "file:") return;
  const read = async () => (await fetch(twin.href)).text();
  twin.after(createCopyButton("Copy page", read));
}

/** Marks operations that have ended since the site was built. */
function markEnded(): void {
  for (const note of content.querySelectorAll<HTMLElement>("[data-sunset]")) {
    if (Date.now() < Number(note.dataset["sunset"])) continue;
    const [state, end] = [note.querySelector("strong"), note.querySelector(".end")];
    const mark = note.parentElement?.querySelector(":is(h3, h4) > .deprecated");
    if (mark) mark.textContent = "gone";
    if (state !== null) state.textContent = "Gone. Deprecated";
    if (end !== null) end.textContent = "was removed on";
  }
}

function unfoldForPrint(): void {
  let folded: readonly HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    folded = [...content.querySelectorAll("details")].filter(({ open }) => !open);
    for (const fold of folded) fold.open = true;
  });
  addEventListener("afterprint", () => {
    for (const fold of folded) fold.open = false;
  });
}

/** Another version opens at the place of the address. */
function keepPlace(): void {
  const versions = document.querySelector(".versions");
  versions?.addEventListener("toggle", () => {
    for (const link of versions.querySelectorAll("a")) link.hash = location.hash;
  });
}

/** Shows the place of the address: unfolds what it is in, or goes to its page. */
async function showPlace(): Promise<void> {
  const id = fromFragment(location.hash.slice(1));
  const ids = listIds(id);
  for (const one of ids) {
    const place = document.getElementById(one);
    if (place === null) continue;
    for (const fold of content.querySelectorAll("details")) if (fold.contains(place)) fold.open = true;
    place.scrollIntoView();
    return;
  }
  if (ids.length === 0) return;
  const entries = new Map(
    (await loadEntries()).map(([, href]) => [fromFragment(href.slice(href.indexOf("#") + 1)), href]),
  );
  const href = ids.map((one) => entries.get(one)).find((found) => found !== undefined);
  // The other page may have the place itself.
  if (href !== undefined) location.replace(href.replace(/#.*/, toFragment(ids[0] ?? "")));
}

/** Lists the ids that an address may mean, as Redoc's pages had them, too: its own, then those of what it is in. */
function listIds(id: string): readonly string[] {
  const own = id.replace(/^tag\/.*\/(?=operation\/)/, "").replaceAll(/\s+/g, "-");
  const parts = own.split("/");
  return own === "" ? [] : parts.map((_, index) => parts.slice(0, parts.length - index).join("/"));
}
