import { type Html, html } from "./html.js";
import type { Part, Parts } from "./parts.js";
import { remember } from "../remember.js";

/** A place of the site that search finds. The label has the method and path of an operation. */
export type SearchEntry = readonly [
  title: string,
  href: string,
  label: string,
  words: string,
  deprecated?: "deprecated",
];

/** Creates the entries of search, in the order of the site. */
export function createSearchEntries(
  { introduction, guides, groups }: Parts,
  toHref: (id: string) => string,
): readonly SearchEntry[] {
  const own = groups.flatMap(({ id, label, parts }) => [
    [label, toHref(id), "Reference", ""] as const,
    ...parts.map((part): SearchEntry => {
      const name = part.id.slice(part.id.indexOf("/") + 1);
      const shown = [part.method?.toUpperCase(), part.path].filter(Boolean).join(" ") || label;
      const words = `${name} ${wordsOf(part.content)}`;
      const entry = [part.label, toHref(part.id), shown, words] as const;
      return part.isDeprecated ? [...entry, "deprecated"] : entry;
    }),
  ]);
  const texts = guides.flatMap((guide) => [
    [
      guide.label,
      toHref(guide.id),
      "Guide",
      listWords(guide.content.text.split(HEADING, 2).join("")),
    ] as const,
    ...listHeadings(guide, toHref, guide.label),
  ]);
  return [...listHeadings(introduction, toHref, introduction.label), ...texts, ...own];
}

const HEADING = /(?=<h[1-6] id=")/;

/** Each heading is found by the words below it, too. */
function listHeadings(part: Part, toHref: (id: string) => string, label: string): readonly SearchEntry[] {
  const sections = part.content.text.split(HEADING);
  return (part.headings ?? []).map(({ id, text }) => {
    const start = html`id="${id}"`.text;
    const section = sections.find((one) => one.slice(0, one.indexOf(">")).includes(start)) ?? "";
    return [text, toHref(id), label, listWords(section)];
  });
}

/** An unchanged part of the next build has the same words. */
const wordsOf = remember(({ text }: Html) => listWords(text));

/** Words of a part: its names, and the words of its texts, each once. */
function listWords(content: string): string {
  const words = new Set<string>();
  for (const [, word] of content.matchAll(WORDS)) {
    if (word !== undefined) words.add(word.toLowerCase());
    if (words.size === MAX_WORDS) break;
  }
  return [...words].join(" ");
}

/** Words, and what has none: code, elements, and characters by their numbers or names. */
const WORDS = /<pre[^]*?<\/pre>|<[^>]*>|&\w+;|\\u\w{4}|([\p{L}\d_.-]{3,40})/gu;

/** A part with many members is found by the first of them. */
const MAX_WORDS = 150;
