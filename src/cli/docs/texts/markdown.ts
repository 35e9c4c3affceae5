/**
 * Escapes text with a backslash before punctuation (CommonMark 0.31, section 2.4). Signs with a meaning only at the start of a line,
 * as in the dashes of a date, stay as they are: search indexes the Markdown.
 */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/[!&()*:<>@[\\\]_`{|}~]/g, "\\$&").replaceAll(/\s+/g, " ");
}

/** Formats text as code, or as text where it would end the code: nothing can be escaped within code. */
export function toCode(text: string): string {
  return /[`\s]/.test(text) ? escapeMarkdown(text) : `\`${text}\``;
}

/** Links to an operation of the page, by its `operationId`. */
export function toOperationLink(operationId: string, text = operationId): string {
  return `[${escapeMarkdown(text)}](#operation/${toLinkPart(operationId)})`;
}

/**
 * Links to a tag of the page, or to a heading below others: `toGroupLink("tag", ["pets"])` is `[pets](#tag/pets)`. Names with other
 * characters than those of words are not linked.
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

/** Lists the paragraphs between empty lines, without blocks of code. */
export function listParagraphs(markdown: string): readonly string[] {
  let isCode = false;
  return markdown.split(/\n[ \t]*\n/).filter((part) => {
    const fences = part.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0;
    const isText = !isCode && fences === 0;
    if (fences % 2 === 1) isCode = !isCode;
    return isText;
  });
}

/** `encodeURIComponent` refuses lone surrogates and leaves parentheses, which would end the link. */
function toLinkPart(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(/[!'()*_~]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}

/**
 * Returns the first paragraph of a description without Markdown: a form has room for a hint, and the reference has the rest.
 * ``The **name**, as in [RFC 1](https://a.example) or `x`.`` becomes `The name, as in RFC 1 or x.`
 */
export function toFirstParagraph(markdown: string): string {
  const [paragraph = ""] = markdown.trim().split(/\n\s*\n/);
  return paragraph
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replaceAll(/\*\*|`/g, "")
    .replaceAll(/\s+/g, " ");
}
