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

/** The elements of HTML whose first tag is matched, with what is in them, in document order. */
export function findElements(markup: string, pattern: RegExp): readonly string[] {
  return [...markup.matchAll(/<(\w+)\b[^>]*>/g)].flatMap(({ 0: tag, 1: name = "", index }) => {
    if (!pattern.test(tag)) return [];
    let depth = 0;
    for (const found of markup.slice(index).matchAll(new RegExp(`<(/?)${name}\\b[^>]*>`, "g"))) {
      depth += found[1] === "/" ? -1 : 1;
      if (depth === 0) return [markup.slice(index, index + found.index + found[0].length)];
    }
    return [];
  });
}
