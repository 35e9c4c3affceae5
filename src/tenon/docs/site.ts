import { readFileSync } from "node:fs";
import { join } from "node:path";

/** File that lists the files of a docs site; `tenon docs` writes it beside them. */
export const SITE_FILE = "site.json";

/** What {@link SITE_FILE} says. */
export interface Site {
  /** Content-Security-Policy of every file without one of its own. */
  readonly policy: string;
  readonly files: readonly SiteFile[];
}

export interface SiteFile {
  /** Relative to the site's folder, with `/` between its parts: `index.html`. */
  readonly name: string;
  readonly mediaType: string;
  /** Content-Security-Policy of a page that needs another one. */
  readonly policy?: string;
}

/**
 * Reads the list of a site's files.
 * @returns undefined when the folder has no site.
 * @throws {Error} when the list is not JSON.
 */
export function readSite(folder: string): Site | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, SITE_FILE), "utf8")) as Site;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
