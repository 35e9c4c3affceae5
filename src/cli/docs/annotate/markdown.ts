/**
 * A backslash before punctuation makes it text (CommonMark 0.31, section 2.4). What has a meaning only where a line
 * starts, as in the dashes of a date, stays as it is: search indexes the Markdown.
 */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/[!&()*:<>@[\\\]_`{|}~]/g, "\\$&").replaceAll(/\s+/g, " ");
}

/** Nothing can be escaped within code, so a text that would end it goes without. */
export function toCode(text: string): string {
  return /[`\s]/.test(text) ? escapeMarkdown(text) : `\`${text}\``;
}

/** A link to an operation of the page, by its `operationId`. */
export function toOperationLink(operationId: string, text = operationId): string {
  return `[${escapeMarkdown(text)}](#operation/${toFragment(operationId)})`;
}

/**
 * A link to a tag of the page, or to a heading below others: `toGroupLink("tag", ["pets"])` is `[pets](#tag/pets)`. What Redoc
 * calls those that have more than words in them is its own business: they are not linked.
 */
export function toGroupLink(
  kind: "section" | "tag",
  names: readonly string[],
  text = names.at(-1) ?? "",
): string {
  const label = escapeMarkdown(text.trim());
  if (!names.every((name) => /^[\w .-]+$/.test(name))) return label;
  const path = names.map((name) => name.trim().replaceAll(/[ -]+/g, "-"));
  return `[${label}](#${[kind, ...path].join("/")})`;
}

/** Paragraphs are what is between empty lines; blocks of code are none. */
export function mapParagraphs(markdown: string, map: (paragraph: string) => string): string {
  let isCode = false;
  return markdown
    .split(/(\n[ \t]*\n)/)
    .map((part) => {
      const fences = part.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0;
      const mapped = isCode || fences > 0 ? part : map(part);
      if (fences % 2 === 1) isCode = !isCode;
      return mapped;
    })
    .join("");
}

/** `encodeURIComponent` refuses lone surrogates and leaves parentheses, which would end the link. */
export function toFragment(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(/[!'()*_~]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}
