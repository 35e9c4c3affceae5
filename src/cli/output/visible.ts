/**
 * Characters that a terminal or a page interprets instead of showing: C0 and C1 controls, bidirectional formatting characters,
 * line and paragraph separators, and lone surrogates.
 * @see https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters
 */
const INVISIBLE =
  // eslint-disable-next-line no-control-regex -- control characters are escaped
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\p{Cs}]/gu;

/**
 * Escapes text of a contract or a server, so that it can neither control a terminal nor look like other text: U+202E becomes
 * `\u202e`. Line breaks and tabs become spaces.
 */
export function toVisible(text: string): string {
  return escapeInvisible(text.replace(/[\t\n\r]+/g, " "));
}

/** Like {@link toVisible}, but keeps line breaks and tabs. */
export function toVisibleLines(text: string): string {
  return text.replace(/[^\t\n\r]+/g, escapeInvisible);
}

function escapeInvisible(text: string): string {
  return text.replace(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
