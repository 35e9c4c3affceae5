import { create, createButton } from "../dom.js";
import type { SearchEntry } from "../../render/search-index.js";
import { loadEntries } from "./search.js";

/**
 * Completes the list of a group in the menu, which has all of its parts only on small sites.
 * @returns Lists the parts; the search's index has them. Undefined for a list that is complete.
 */
export function prepareParts(link: HTMLAnchorElement, list: Element): (() => void) | undefined {
  const count = link.dataset["parts"];
  if (count === undefined) return undefined;
  const listAll = async () => {
    const entries = await loadEntries();
    const start = entries.findIndex(([, href]) => toUrl(href) === link.href);
    // Groups alone have no words.
    const end = entries.findIndex(([, , , words], index) => index > start && words === "");
    const parts = start < 0 ? [] : entries.slice(start + 1, end < 0 ? entries.length : end);
    const shown = new Map([...list.querySelectorAll("a")].map((one) => [one.href, one.parentElement]));
    more.before(...parts.map((entry) => shown.get(toUrl(entry[1])) ?? createItem(entry)));
    more.remove();
  };
  const more = create(
    "li",
    {},
    createButton(`Show all ${count}`, () => void listAll(), { class: "more-parts" }),
  );
  const inner = list.querySelector(":scope > li:has(.group-link)");
  list.insertBefore(more, inner);
  return () => void listAll();
}

function createItem([title, href, label, , deprecated]: SearchEntry): HTMLElement {
  const [method] = /^[A-Z]+(?= |$)/.exec(label) ?? [];
  return create(
    "li",
    {},
    create(
      "a",
      { href, ...(deprecated && { class: "old" }) },
      create("span", {}, title),
      method && create("span", { class: `method ${method.toLowerCase()}` }, method),
    ),
  );
}

function toUrl(href: string): string {
  return new URL(href, location.href).href;
}
