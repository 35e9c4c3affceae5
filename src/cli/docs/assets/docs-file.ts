import { type BROWSER_SCRIPTS, loadBrowserScript, loadStyles } from "./assets.js";

/** One file of the docs site, by its name relative to the site's root. */
export interface DocsFile {
  readonly name: string;
  readonly mediaType: string;
  readonly text: string;
  /** Encoding of the text. That of pictures is `latin1`: a character is a byte. Default: UTF-8. */
  readonly encoding?: "latin1";
  /** Content-Security-Policy of a page. Default: that of the site's pages. */
  readonly policy?: string;
}

/** The file that is served for a folder. */
export const INDEX = "index.html";

/** The script that reloads the pages of `tenon dev`. */
export const RELOAD_SCRIPT = "reload.js";

export function toPage(name: string, text: string, policy?: string): DocsFile {
  return { name, mediaType: "text/html; charset=utf-8", text, ...(policy !== undefined && { policy }) };
}

export function toScript(name: string, text: string): DocsFile {
  return { name, mediaType: "text/javascript; charset=utf-8", text };
}

export function toBrowserScript(name: string, script: (typeof BROWSER_SCRIPTS)[number]): DocsFile {
  return toScript(name, loadBrowserScript(script));
}

export function toStyleSheet(name: string, ...styles: readonly string[]): DocsFile {
  return { name, mediaType: "text/css; charset=utf-8", text: loadStyles(...styles) };
}
