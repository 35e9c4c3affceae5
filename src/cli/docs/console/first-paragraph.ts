/**
 * The first paragraph of a description without Markdown's signs: a form has room for a hint, and the reference has the rest.
 * ``The **name**, as in [RFC 1](https://a.example) or `x`.`` becomes `The name, as in RFC 1 or x.`
 */
export function toFirstParagraph(markdown: string): string {
  const [paragraph = ""] = markdown.trim().split(/\n\s*\n/);
  return paragraph
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replaceAll(/\*\*|`/g, "")
    .replaceAll(/\s+/g, " ");
}
