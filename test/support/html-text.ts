const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** The characters of HTML's text and attributes. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|(\w+));/gi, (entity, code: string | undefined, name = "") =>
    code === undefined ? (ENTITIES[String(name)] ?? entity) : String.fromCodePoint(parseInt(code, 16)),
  );
}

/** The text of HTML as a reader sees it, white space as one space. */
export function toText(markup: string): string {
  return decodeEntities(markup.replaceAll(/<[^>]*>/g, ""))
    .replaceAll(/\s+/g, " ")
    .trim();
}
