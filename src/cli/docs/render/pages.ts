import { createNames, INDEX } from "../assets/docs-file.js";
import { html, type Html, linkTo } from "./html.js";
import { toFragment } from "./ids.js";
import { type Group, type Part, type Parts, renderGroupsList, renderList } from "./parts.js";

/** A file of the site, before its frame. */
export interface Page {
  /** `index.html`. */
  readonly file: string;
  readonly title: string | undefined;
  readonly content: Html;
  /** The group that it belongs to. */
  readonly group?: Group;
  /** The part that it has, if it has one only: an operation, or a guide. */
  readonly part?: Part;
}

export interface Pages {
  readonly pages: readonly Page[];
  /**
   * Returns the address of a place: `tag.store.html#operation/listOrders`, or `#operation/listOrders` from the page that has it.
   * @param from Undefined: any page.
   */
  readonly toHref: (id: string, from: Page | undefined) => string;
  /** Returns the page with a place; the first one for an unknown place. */
  readonly find: (id: string) => Page;
  /** True if all of the reference is on one page. */
  readonly isWhole: boolean;
}

/**
 * Characters of HTML that a reference on one page may have, where the browser's own search finds all of it. Measured in Chromium on a
 * busy machine of two cores, 1.7 million are interactive in a second, and twice as many in two; the first screen is there in 0.4 s.
 */
const MAX_WHOLE = 1_500_000;

/** Characters that one of several pages may have: readers go from one to another. */
const MAX_PAGE = 500_000;

/**
 * Divides the parts of a site among pages: one for each guide; the reference is on one, or else a page for each tag, or else for each
 * operation. Places have the same ids in all of them.
 */
export function planPages({ introduction, guides, groups }: Parts): Pages {
  const places = new Map<string, Page>();
  const choose = createNames(".", INDEX, "changelog.html");
  const sizeOf = (list: readonly Part[]) => list.reduce((sum, { content }) => sum + content.text.length, 0);
  const all = [introduction, ...groups.flatMap(({ parts }) => parts)];
  const isWhole = sizeOf(all) <= MAX_WHOLE;
  const first = isWhole
    ? html`${introduction.content}${groups.map((group) => html`${group.content.whole}${group.parts.map((part) => part.content)}`)}`
    : html`${introduction.content}${renderGroupsList(groups)}`;
  const index: Page = { file: INDEX, title: undefined, content: first };
  // `operation/listPets` is `operation.listPets.html`.
  const toName = (id: string) => choose(id.replaceAll(/[^\w-]+/g, ".").slice(0, 100), ".html");
  const pages: Page[] = [index];
  const add = (page: Page, ids: readonly string[]) => {
    pages.push(page);
    for (const id of ids) places.set(id, page);
  };
  const addWhole = (group: Group, file: string) => {
    const content = html`${group.content.whole}${group.parts.map((part) => part.content)}`;
    add({ file, title: group.label, content, group }, [group.id, ...group.parts.map(({ id }) => id)]);
  };
  for (const guide of guides) {
    const { id, name, file = toName(name), label, content } = guide;
    add({ file, title: label, content, part: guide }, [id]);
  }
  if (!isWhole)
    for (const group of groups) {
      const file = toName(group.id);
      if (sizeOf(group.parts) <= MAX_PAGE) {
        addWhole(group, file);
        continue;
      }
      add(
        { file, title: group.label, content: html`${group.content.short}${renderList(group.parts)}`, group },
        [group.id],
      );
      for (const part of group.parts) {
        const { id, label, content } = part;
        add({ file: toName(id), title: label, content, group, part }, [id]);
      }
    }
  const find = (id: string): Page => {
    const end = id.lastIndexOf("/");
    return places.get(id) ?? (end > 0 ? find(id.slice(0, end)) : index);
  };
  return {
    pages,
    find,
    isWhole,
    toHref: (id, from) => {
      const page = find(id);
      const isPage = page.part?.id === id && page.group === undefined;
      return page === from ? toFragment(id) : `${page.file}${isPage ? "" : toFragment(id)}`;
    },
  };
}

/** Renders the link from the page of an operation to that of its group. */
export function renderAround({ group, part }: Page): Html | undefined {
  if (group === undefined || part === undefined) return undefined;
  return html`<a class="around" href="${linkTo(group.id)}">${group.label}</a>`;
}
