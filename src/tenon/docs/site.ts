import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Name of the file that lists the files of a docs site. `tenon docs` writes it into the site's folder.
 * @example
 * const siteUrl = new URL(`docs/${SITE_FILE}`, contractUrl);
 */
export const SITE_FILE = "site.json";

/**
 * The content of {@link SITE_FILE}.
 * @example
 * const site: Site = {
 *   policy: "default-src 'self'",
 *   files: [{ name: "index.html", mediaType: "text/html; charset=utf-8" }],
 * };
 */
export interface Site {
  /** Content-Security-Policy of files without their own. */
  readonly policy: string;
  readonly files: readonly SiteFile[];
}

/**
 * A file of a docs site.
 * @example
 * const script: SiteFile = { name: "assets/site.js", mediaType: "text/javascript; charset=utf-8" };
 */
export interface SiteFile {
  /** Path relative to the site's folder, with `/` as separator: `index.html`. */
  readonly name: string;
  readonly mediaType: string;
  /** Content-Security-Policy of this file. Default: the site's. */
  readonly policy?: string;
}

/**
 * Reads the `site.json` of a folder.
 * @returns undefined when the folder has no site.
 * @throws {Error} when the file is not JSON.
 */
export function readSite(folder: string): Site | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, SITE_FILE), "utf8")) as Site;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
