import { toVisible, toVisibleLines } from "./visible.js";

/** Escapes text for HTML and SVG, within elements and within attributes in double quotes. */
export function escapeMarkup(text: string): string {
  return toVisibleLines(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/**
 * Escapes text for XML. Most control characters and lone surrogates, which XML 1.0 cannot express, become U+FFFD.
 * @see https://www.w3.org/TR/xml/#charsets
 */
export function escapeXml(text: string): string {
  return escapeMarkup(
    text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "\u{FFFD}"),
  );
}

/** Names and values come from contracts: none of them is Markdown, HTML or a mention. */
export function escapeMarkdown(text: string): string {
  return toVisible(text)
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/[\\`*_{}[\]()#+!|~@]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/\s+/g, " ");
}
