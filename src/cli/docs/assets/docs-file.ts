import { loadBrowserScript, type BROWSER_SCRIPTS, loadStyles } from "./assets.js";

/** One file of the docs site, by its name relative to the site's root. */
export interface DocsFile {
  readonly name: string;
  readonly mediaType: string;
  readonly text: string;
  /** Content-Security-Policy of a page that needs another one than the others. */
  readonly policy?: string;
}

/** The file that a folder stands for. */
export const INDEX = "index.html";

/** The script that reloads pages which `tenon dev` builds. */
export const RELOAD_SCRIPT = "reload.js";

/** @param policy Where it differs from the other pages'. */
export function toPage(name: string, text: string, policy?: string): DocsFile {
  return { name, mediaType: "text/html; charset=utf-8", text, ...(policy !== undefined && { policy }) };
}

export function toScript(name: string, text: string): DocsFile {
  return { name, mediaType: "text/javascript; charset=utf-8", text };
}

export function toBrowserScript(name: string, script: (typeof BROWSER_SCRIPTS)[number]): DocsFile {
  return toScript(name, loadBrowserScript(script));
}

/** @param styles Names of files in `styles/`. */
export function toStyleSheet(name: string, ...styles: readonly string[]): DocsFile {
  return { name, mediaType: "text/css; charset=utf-8", text: loadStyles(...styles) };
}
