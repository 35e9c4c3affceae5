import type { Element, ElementContent, Root, RootContent } from "hast";
import rehypeRaw from "rehype-raw";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { type PluggableList, unified } from "unified";
import { toVisibleLines } from "../../output/visible.js";
import { renderCode } from "./code.js";
import { Html, html, linkTo, renderBreakable, withoutMarks } from "./html.js";
import { createRecent } from "./recent.js";
import { isTooComplex } from "./markdown-limits.js";
import { fromFragment, toIdPart, toSectionId } from "./ids.js";

/** A heading of a text, as the menu shows it. */
export interface Heading {
  readonly id: string;
  readonly text: string;
  /** Level in the text itself: 1 for `#`. */
  readonly level: number;
}

export interface MarkdownOptions {
  /** Level of the page's heading that the text is below; the text's own headings begin one level deeper. */
  readonly below: number;
  /** Called for each heading, which gets an id. Default: headings have no ids. */
  readonly onHeading?: (heading: Heading) => void;
  /** Returns the id of a heading. Default: `section/` and the texts of the headings above it. */
  readonly toId?: (text: string) => string;
  /** Returns the address of a link or picture. Default: links to parts of the site lead to them, and pictures become links. */
  readonly toAddress?: (written: string, node: Element) => string | undefined;
}

const createProcessor = (parsers: PluggableList) =>
  unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(remarkRehype, { allowDangerousHtml: true })
    .use(parsers)
    .use(rehypeSanitize, { ...defaultSchema, clobberPrefix: "text-" })
    .use(rehypeStringify, { allowDangerousHtml: true })
    .freeze();

/** Parsing HTML within Markdown takes long, and few texts have any. */
const processors = { markdown: createProcessor([]), html: createProcessor([rehypeRaw]) };

/** A line that is the same in Markdown and in HTML. An underscore emphasizes at the start of a word. */
const PLAIN = /^(?![\s\d+=-])(?!.*(?:\bwww\.|(?<![A-Za-z\d])_|\s$))[\w ,;.()'"/%+=?-]+$/;

/** Code, or a link to another host, in such a line. */
const INLINE =
  /`(?<code>[!-_a-~](?:[ -_a-~]*[!-_a-~])?)`|\[(?<label>[A-Za-z](?:[A-Za-z\d ,'-]*[A-Za-z\d])?)\]\((?<url>https?:\/\/[\w./#?=-]+)\)/g;

/** Texts whose headings and links are those of any other text. */
const recent = createRecent<Html>();

/**
 * Renders Markdown of a contract: CommonMark with tables and the harmless part of HTML. A picture that is not within the text becomes
 * a link, because the pages load nothing from other hosts. A text whose rendering could take minutes is shown as it was written.
 */
export function renderMarkdown(text: string | undefined, options: MarkdownOptions): Html | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const simple = renderSimple(text, options);
  if (simple !== undefined) return simple;
  const make = () => {
    const visible = withoutMarks(toVisibleLines(text));
    return toHtml(visible, options) ?? html`<pre>${visible}</pre> `;
  };
  const isAlike = options.onHeading === undefined && options.toAddress === undefined;
  return isAlike ? recent(`${options.below} ${text}`, make) : make();
}

/** Most texts are paragraphs of plain lines with code and links: the parsers take fifty times as long. */
function renderSimple(text: string, { toAddress }: MarkdownOptions): Html | undefined {
  const paragraphs = text.trimEnd().split(/\n\n+/);
  const isSimple = (line: string) => PLAIN.test(line.replaceAll(INLINE, "/"));
  if (text.includes("``") || !paragraphs.every((paragraph) => paragraph.split("\n").every(isSimple)))
    return undefined;
  if (toAddress !== undefined && text.includes("](")) return undefined;
  return html`${paragraphs.map((paragraph) => html`<p>${splitInline(paragraph)}</p>\n`)}`;
}

function splitInline(text: string): readonly (Html | string)[] {
  const parts: (Html | string)[] = [];
  let end = 0;
  for (const { 0: whole, index, groups: { code, label = "", url = "" } = {} } of text.matchAll(INLINE)) {
    parts.push(text.slice(end, index));
    parts.push(code === undefined ? html`<a href="${url}">${label}</a>` : html`<code>${code}</code>`);
    end = index + whole.length;
  }
  return [...parts, text.slice(end)];
}

/** Returns undefined for a text that would take too long, or that is nested too deeply for the stack. */
function toHtml(text: string, options: MarkdownOptions): Html | undefined {
  if (isTooComplex(text)) return undefined;
  const processor = text.includes("<") ? processors.html : processors.markdown;
  try {
    const tree = processor.runSync(processor.parse(text));
    edit(tree, options, { headings: [], ids: new Set() });
    return new Html(`${processor.stringify(tree)}\n`);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The parts of a text before a node. */
interface Before {
  /** The headings above it, by level. */
  readonly headings: string[];
  readonly ids: Set<string>;
}

function edit(parent: Root | Element, options: MarkdownOptions, before: Before): void {
  const children: RootContent[] = parent.children;
  for (const [index, node] of children.entries()) {
    if (node.type !== "element") continue;
    if (node.tagName === "pre") {
      children[index] = toCodeBlock(node);
      continue;
    }
    // The line above footnotes says it to readers who see.
    if (node.properties.id === "text-footnote-label") node.properties.className = ["spoken"];
    // Several places may have the same text, and an id has one place.
    delete node.properties.id;
    if (/^h[1-6]$/.test(node.tagName)) editHeading(node, options, before);
    else if (node.tagName === "a") editLink(node, options);
    else if (node.tagName === "input") node.properties.ariaLabel = node.properties.checked ? "Done" : "Open";
    else if (node.tagName === "img") children[index] = toPicture(node, options);
    else if (node.tagName === "table") children[index] = toScrollable(node);
    else if (node.tagName === "td") breakName(node);
    else if (node.tagName === "blockquote") editAlert(node);
    else if (node.tagName === "p" && isDecision(node)) node.properties.className = ["decision"];
    edit(node, options, before);
  }
}

function toCodeBlock(pre: Element): RootContent {
  const [code] = pre.children;
  const classes = code?.type === "element" ? code.properties.className : undefined;
  const [language] = (Array.isArray(classes) ? classes : []).flatMap(
    (name) => /^language-(\w+)/.exec(name)?.[1] ?? [],
  );
  return {
    type: "raw",
    value: renderCode(toPlainText(pre).replace(/\n$/, ""), language?.toLowerCase()).text,
  };
}

function editHeading(node: Element, options: MarkdownOptions, { headings, ids }: Before): void {
  const { below, onHeading, toId } = options;
  const level = Number(node.tagName.slice(1));
  const text = toPlainText(node);
  headings.splice(level - 1);
  headings[level - 1] = text;
  // The page has no gap where the text leaves out a level.
  node.tagName = `h${Math.min(6, Object.values(headings).length + below)}`;
  if (onHeading === undefined) return;
  const own = toId === undefined ? toSectionId(Object.values(headings)) : toId(text);
  let id = own;
  for (let count = 2; ids.has(id); count += 1) id = `${own}-${count}`;
  ids.add(id);
  node.properties.id = id;
  onHeading({ id, text, level });
}

function editLink(node: Element, { toAddress = toPlace }: MarkdownOptions): void {
  const { href, dataFootnoteRef, dataFootnoteBackref } = node.properties;
  // Without ids, a footnote is found by its number.
  if ((dataFootnoteRef ?? dataFootnoteBackref) !== undefined) {
    Object.assign(node, { tagName: "span", properties: {} });
    if (dataFootnoteBackref !== undefined) node.children = [];
  } else if (typeof href === "string") node.properties.href = toAddress(href, node) ?? href;
}

/** Links to operations and tags, as they were written for Redoc, lead to their pages. */
function toPlace(href: string): string | undefined {
  const id = toPlaceId(href);
  return id === undefined ? undefined : linkTo(id).text;
}

/** Returns the id of the part that an address names: `#operation/listPets`. */
export function toPlaceId(href: string): string | undefined {
  if (!/^#(?:operation|tag|section|schema|security|webhook)\//.test(href)) return undefined;
  return toIdPart(fromFragment(href.slice(1))).replace(/^tag\/.*\/(?=operation\/)/, "");
}

function toPicture(node: Element, { toAddress }: MarkdownOptions): RootContent {
  const { src, alt } = node.properties;
  if (typeof src === "string" && src.startsWith("data:")) return node;
  const own = typeof src === "string" ? toAddress?.(src, node) : undefined;
  if (own !== undefined) return { ...node, properties: { ...node.properties, src: own } };
  const text: ElementContent = { type: "text", value: alt === undefined || alt === "" ? "Picture" : alt };
  return typeof src === "string" && /^https?:/.test(src)
    ? { type: "element", tagName: "a", properties: { href: src }, children: [text] }
    : text;
}

/** @see https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#alerts */
function editAlert({ children, properties }: Element): void {
  const first = children.find((child) => child.type === "element");
  const text = first?.children[0];
  if (first?.tagName !== "p" || text?.type !== "text") return;
  const [start, name] = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/i.exec(text.value) ?? [];
  if (start === undefined || name === undefined) return;
  const title = name.charAt(0).toUpperCase() + name.slice(1).toLowerCase();
  text.value = ` ${text.value.slice(start.length)}`;
  first.children.unshift({
    ...{ type: "element", tagName: "strong", properties: {} },
    children: [{ type: "text", value: `${title}:` }],
  });
  properties.className = ["callout", ...(/^[NT]/.test(title) ? [] : ["deprecated"])];
}

/** A wide table scrolls by itself, also by keyboard. */
function toScrollable(table: Element): Element {
  const properties = { className: ["scroll"], tabIndex: 0 };
  return { type: "element", tagName: "div", properties, children: [table] };
}

/** A name in a cell of its own is broken between its words, if at all. */
function breakName(cell: Element): void {
  const [code, ...others] = cell.children;
  if (code?.type !== "element" || code.tagName !== "code" || others.length > 0) return;
  const value = html`<code>${renderBreakable(toPlainText(code))}</code>`.text;
  cell.children = [{ type: "raw", value } as unknown as ElementContent];
}

/** A lead-in in bold whose first word is "Decision": `**Decision of this service:** …` */
function isDecision({ children: [first] }: Element): boolean {
  if (first?.type !== "element" || first.tagName !== "strong") return false;
  return /^Decision(?:| .*|:)$/.test(toPlainText(first));
}

function toPlainText(node: RootContent): string {
  if (node.type === "text") return node.value;
  return node.type === "element" ? node.children.map(toPlainText).join("") : "";
}
