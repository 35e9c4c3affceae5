import { extname } from "node:path";
import { type BROWSER_SCRIPTS, loadBrowserScript } from "./assets.js";

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

const UTF8 = "; charset=utf-8";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ...{ ".html": `text/html${UTF8}`, ".css": `text/css${UTF8}`, ".js": `text/javascript${UTF8}` },
  ...{ ".md": `text/markdown${UTF8}`, ".txt": `text/plain${UTF8}`, ".csv": `text/csv${UTF8}` },
  // RFC 9512 registers the media type of YAML.
  ...{ ".json": "application/json", ".yaml": "application/yaml", ".yml": "application/yaml" },
  ...{
    ".xml": "application/xml",
    ".pdf": "application/pdf",
    ".svg": "image/svg+xml",
    ".ico": "image/x-icon",
  },
  ...{ ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif" },
  ...{ ".webp": "image/webp", ".avif": "image/avif" },
};

/** Creates a file, whose media type follows from its name. */
export function toFile(
  name: string,
  text: string,
  more: Pick<DocsFile, "encoding" | "policy"> = {},
): DocsFile {
  const mediaType = MEDIA_TYPES[extname(name).toLowerCase()] ?? "application/octet-stream";
  return { name, mediaType, text, ...more };
}

export function toBrowserScript(script: (typeof BROWSER_SCRIPTS)[number]): DocsFile {
  return toFile(`${script}.js`, loadBrowserScript(script));
}

/**
 * Names things so that no two names are the same on a file system that does not distinguish cases: `pets`, `Pets-2`.
 * @param taken In lower case.
 * @returns Chooses the name that begins with `start` and ends with `end`.
 */
export function createNames(separator = "-", ...taken: readonly string[]) {
  const names = new Set(taken);
  return (start: string, end = ""): string => {
    let name = start + end;
    for (let count = 2; names.has(name.toLowerCase()); count += 1)
      name = `${start}${separator}${count}${end}`;
    names.add(name.toLowerCase());
    return name;
  };
}
