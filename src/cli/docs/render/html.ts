import { escapeMarkup } from "../../output/markup.js";
import type { Phrase } from "../texts/phrase.js";
import { fromFragment } from "./ids.js";

/** HTML, which is inserted as it is. */
export class Html {
  constructor(readonly text: string) {}
}

/** `undefined` and `false` are inserted as nothing, other text is escaped. */
export type Insertable = Html | string | number | undefined | false | readonly Insertable[];

/**
 * Writes HTML. Inserted text is escaped, for elements and for attributes in double quotes.
 * @example
 * html`<p>${"1 < 2"}</p>`.text; // <p>1 &lt; 2</p>
 */
export function html(strings: TemplateStringsArray, ...values: readonly Insertable[]): Html {
  let text = strings[0] ?? "";
  // An iterator takes a third longer, and a large site has millions of these.
  for (let index = 0; index < values.length; index += 1)
    text += toText(values[index]) + (strings[index + 1] ?? "");
  return new Html(text);
}

function toText(value: Insertable): string {
  if (value instanceof Html) return value.text;
  if (value === undefined || value === false) return "";
  if (typeof value === "object") return value.map(toText).join("");
  const text = String(value);
  return PLAIN.test(text) ? text : escapeMarkup(withoutMarks(text));
}

/** Most texts have nothing to escape. */
const PLAIN = /^[ !#-%'-;=?-~]*$/;

/** Puts text between parts. */
export function join(parts: readonly Html[], between: Html | string): readonly Insertable[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [between, part]));
}

/** Marks the id of a link: which page has it is known when all of them are rendered. Unicode keeps the character for private use. */
const MARK = "\u{E001}";

/** The text of a contract may not have the character that marks links. */
export function withoutMarks(text: string): string {
  return text.replaceAll(MARK, "");
}

/**
 * Writes the address of a part of the site by its id, `operation/listPets`. {@link resolveLinks} completes it.
 * @returns the value of `href`, which is the same within HTML and within a tree that becomes HTML.
 */
export function linkTo(id: string): Html {
  return new Html(MARK + encodeURIComponent(id.toWellFormed()) + MARK);
}

export function renderPhrase(phrase: Phrase): Html {
  const parts = phrase.map((part) => {
    if (typeof part === "string") return part;
    const text = part.isCode === true ? html`<code>${part.text}</code>` : part.text;
    return part.to === undefined ? text : html`<a href="${linkTo(part.to)}">${text}</a>`;
  });
  return html`${parts}`;
}

/** Renders the link of a heading to its own place. */
export function renderAnchor(id: string, label: string): Html {
  return html`<a class="anchor" href="${linkTo(id)}" aria-label="Link to ${label}">#</a>`;
}

/** A long name or path may be broken between its words, a text at its spaces. */
export function renderBreakable(text: string): Html {
  if (text.includes(" ")) return html`${text}`;
  return html`${join(
    text.split(/(?<=[a-z])(?=[A-Z])|(?<=[/_-])/).map((word) => html`${word}`),
    html`<wbr>`,
  )}`;
}

const MARKED = /\u{E001}([^\u{E001}]*)\u{E001}/gu;

/** Completes the addresses of links. */
export function resolveLinks(text: string, toHref: (id: string) => string): string {
  // A hostile text may have marks as character references: between them, there may be anything.
  return text.replaceAll(MARKED, (_, id: string) => html`${toHref(fromFragment(id))}`.text);
}

/** Returns the text of HTML without its elements. */
export function toPlainText({ text }: Html): string {
  const names: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&" };
  const toCharacter = (whole: string, hex: string | undefined, name = "") =>
    hex === undefined ? (names[name] ?? whole) : String.fromCodePoint(Number.parseInt(hex, 16));
  return text
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(?:#x([\da-f]{1,5})|(\w+));/gi, toCharacter)
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Returns the first paragraph of a part's description as text, at most as long as search engines show it. */
export function toDescription({ text }: Html): string | undefined {
  const [description = ""] = text.split(AFTER_DESCRIPTION, 1);
  const [, paragraph = ""] = /<p>([^]*?)<\/p>/.exec(description) ?? [];
  const plain = toPlainText(new Html(paragraph));
  if (plain === "") return undefined;
  return plain.length <= MAX_DESCRIPTION
    ? plain
    : `${plain.slice(0, MAX_DESCRIPTION).replace(/\s+\S*$/, "")} …`;
}

const AFTER_DESCRIPTION = /<\w+ class="(?:beside|details|members|schema)|<\/(?:header|section)>/;
const MAX_DESCRIPTION = 200;
