import { toAddress } from "../samples/page-addresses.js";
import { createButton, find } from "./dom.js";
import { createMenu, decode } from "./reference/menu.js";
import { createSearch, loadEntries } from "./reference/search.js";
import { createTabs } from "./reference/tabs.js";

/** What a page of the reference does beyond showing its HTML. */
const content = find("#content");

for (const tabs of content.querySelectorAll<HTMLElement>(".tabs")) createTabs(tabs);
createMenu(find(".menu-button"), find("#menu"), content);
createSearch(find(".search"));
completeAddresses();
addCopyButtons();
markEnded();
void showPlace();
addEventListener("hashchange", () => void showPlace());

/** Completes addresses that are relative to the page. */
function completeAddresses(): void {
  for (const element of content.querySelectorAll<HTMLElement>("[data-address]")) {
    const address = toAddress(element.dataset["address"] ?? "", location.href);
    if (address !== undefined) element.textContent = withoutQuotes(address);
  }
}

/** In a sample, an address is within quotes of a shell or a script, where these would mean something, or end the line. */
function withoutQuotes(url: string): string {
  return url.replaceAll(
    /[\n\r"'$`\\]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}

function addCopyButtons(): void {
  for (const block of content.querySelectorAll<HTMLElement>(".code")) {
    const button = createButton("Copy", () => {
      void navigator.clipboard.writeText(block.querySelector("code")?.textContent ?? "").then(() => {
        button.textContent = "Copied";
        find(".spoken").textContent = "Copied";
        setTimeout(() => (button.textContent = "Copy"), 2_000);
      });
    });
    button.className = "copy";
    block.append(button);
  }
}

/** What was to end after the site was built may have ended since. */
function markEnded(): void {
  for (const note of content.querySelectorAll<HTMLElement>("[data-sunset]")) {
    if (Date.now() < Number(note.dataset["sunset"])) continue;
    const [state, end] = [note.querySelector("strong"), note.querySelector(".end")];
    if (state !== null) state.textContent = "Gone";
    if (end !== null) end.textContent = "was removed on";
  }
}

/** Shows the place of the address: unfolds what it is in, or goes to its page. */
async function showPlace(): Promise<void> {
  const id = decode(location.hash.slice(1));
  if (id === "") return;
  const place = document.getElementById(id);
  if (place === null) {
    // Redoc's addresses had the tag before the operation.
    const name = id.replace(/^tag\/.*\/(?=operation\/)/, "");
    const entries = await loadEntries();
    const found = entries.find(([, href]) => decode(href.slice(href.indexOf("#") + 1)) === name);
    if (found !== undefined) location.replace(found[1]);
    return;
  }
  for (
    let fold = place.closest("details");
    fold !== null;
    fold = fold.parentElement?.closest("details") ?? null
  )
    fold.open = true;
  place.scrollIntoView();
}
