/** Code within a phrase, or a link to a place of the site. */
export interface PhrasePart {
  readonly text: string;
  readonly isCode?: boolean;
  /** Id of the place that it leads to. Default: it is not a link. */
  readonly to?: string;
}

/** A sentence or a part of one that the pages and their Markdown both have. */
export type Phrase = readonly (string | PhrasePart)[];

/**
 * Writes a phrase. Text that is inserted stays text, in HTML and in Markdown.
 * @example
 * phrase`Use ${code("petId")}`; // ["Use ", { text: "petId", isCode: true }, ""]
 */
export function phrase(
  strings: TemplateStringsArray,
  ...values: readonly (string | PhrasePart | Phrase)[]
): Phrase {
  return strings.flatMap((text, index) => [text, ...[values[index] ?? []].flat()]);
}

export function code(text: string, to?: string): PhrasePart {
  return { text, isCode: true, ...(to !== undefined && { to }) };
}

/** Puts text between phrases. */
export function joinPhrases(phrases: readonly Phrase[], between: string): Phrase {
  return phrases.flatMap((part, index) => (index === 0 ? part : [between, ...part]));
}
