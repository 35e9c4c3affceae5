import type { SearchEntry } from "../../render/search-index.js";
import { fromFragment } from "../../render/ids.js";
import { remember } from "../../remember.js";
import { create, createId } from "../dom.js";
import { loadScript } from "./load-script.js";

declare global {
  var searchEntries: readonly SearchEntry[] | undefined;
}

const MAX_RESULTS = 20;

/** Loads the entries when they are needed first. */
export async function loadEntries(): Promise<readonly SearchEntry[]> {
  if (globalThis.searchEntries === undefined) await loadScript("search.js");
  return globalThis.searchEntries ?? [];
}

/**
 * Ranks the entries that have all words. First come those whose title or name is the query or begins with it. Of the others, words count most in
 * the title, then in the name, the path and the text, and more at the start of a word.
 */
export function rank(entries: readonly SearchEntry[], query: string): readonly SearchEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const whole = words.join(" ");
  const scored = entries.flatMap((entry) => {
    const fields = toFields(entry);
    let score = Math.max(...fields.slice(0, 2).map((field) => scoreWhole(field, whole)));
    for (const word of words) {
      const scores = fields.map((field, index) => scoreField(field, word) * (fields.length - index));
      const best = Math.max(...scores);
      if (best === 0) return [];
      score += best;
    }
    // The shorter title is the better match of two that have the word.
    return [{ entry, score: score - entry[0].length / 1000 }];
  });
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_RESULTS)
    .map(({ entry }) => entry);
}

/** Lists the title of an entry, its name, its path and its text, in lower case. Each key that is typed ranks all entries. */
const toFields = remember(([title, href, label, others]: SearchEntry): readonly string[] => {
  // `createPet` of `#operation/createPet`.
  const name = fromFragment(href.replace(/^[^#]*#?[^/]*\//, ""));
  return [title, name, label, others].map((field) => field.toLowerCase());
});

function scoreWhole(field: string, query: string): number {
  return field === query ? 100 : field.startsWith(query) ? 50 : 0;
}

function scoreField(field: string, word: string): number {
  const at = field.indexOf(word);
  if (at < 0) return 0;
  return at === 0 || /[\s/._-]/.test(field.charAt(at - 1)) ? 3 : 1;
}

/** Fills the place of the search: a field with a list of results, which `/` and Ctrl+K lead to. */
export function createSearch(place: HTMLElement): void {
  const list = create("div", { role: "listbox", id: createId(), hidden: true, "aria-label": "Results" });
  const input = create("input", {
    ...{ type: "search", placeholder: "Search", "aria-label": "Search", autocomplete: "off" },
    ...{ spellcheck: "false", role: "combobox", "aria-expanded": "false", "aria-controls": list.id },
  });
  place.replaceChildren(input, create("kbd", { "aria-hidden": "true" }, "/"), list);
  place.hidden = false;
  let active = 0;

  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const mark = (index: number) => {
    const options = [...list.children];
    active = options.length === 0 ? 0 : (index + options.length) % options.length;
    for (const [at, option] of options.entries()) option.setAttribute("aria-selected", String(at === active));
    const option = options[active];
    if (option === undefined) return;
    input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  };
  const update = async () => {
    const query = input.value;
    const entries = await loadEntries();
    if (query !== input.value) return;
    const found = rank(entries, query);
    list.replaceChildren(
      ...found.map(([title, href, label]) =>
        create(
          "a",
          { role: "option", id: createId(), href: toOwn(href), tabindex: "-1" },
          title,
          label === "" ? undefined : create("small", {}, label),
        ),
      ),
    );
    if (found.length === 0 && query.trim() !== "")
      list.append(create("div", { role: "option", "aria-disabled": "true" }, "Nothing found"));
    list.hidden = query.trim() === "";
    input.setAttribute("aria-expanded", String(!list.hidden));
    mark(0);
  };
  input.addEventListener("input", () => void update());
  input.addEventListener("focus", () => void loadEntries());
  list.addEventListener("click", close);
  place.addEventListener("focusout", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && place.contains(relatedTarget))) close();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      input.value = "";
      close();
      input.blur();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      mark(active + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter") {
      const option = list.children[active];
      if (option instanceof HTMLElement) option.click();
      input.blur();
    }
  });
  addEventListener("keydown", (event) => {
    const isShortcut = event.key === "k" && (event.ctrlKey || event.metaKey);
    if (!isShortcut && (event.key !== "/" || isTyping(event.target))) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

/** An address within this page does not load it again. */
function toOwn(href: string): string {
  const [, file = "", fragment] = /^([^#]*)(#.*)$/.exec(href) ?? [];
  const own = location.pathname.replace(/.*\//, "");
  return fragment !== undefined && file === (own === "" ? "index.html" : own) ? fragment : href;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("input, textarea, select");
}
