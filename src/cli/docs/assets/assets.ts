import { existsSync, readFileSync } from "node:fs";
import { buildBrowserScript } from "./build-browser-script.js";

/** The scripts of the pages: each is a file of `browser/`. */
export const BROWSER_SCRIPTS = ["docs", "theme", "console", "changes", "reload"] as const;

const built = new Map<string, string>();

/** Loads a script of the pages. The build writes it to the package; before a build it is bundled from its sources. */
export function loadBrowserScript(name: (typeof BROWSER_SCRIPTS)[number]): string {
  const known = built.get(name);
  if (known !== undefined) return known;
  const file = new URL(`../browser/${name}.js`, import.meta.url);
  const text = existsSync(file)
    ? readFileSync(file, "utf8")
    : buildBrowserScript(new URL(`../browser/${name}.ts`, import.meta.url));
  built.set(name, text);
  return text;
}

/** Loads a file of `styles/`. */
export function loadStyle(name: string): string {
  return readFileSync(new URL(`styles/${name}.css`, import.meta.url), "utf8");
}

/** Loads the styles of a page, which begin with those of every page. */
export function loadStyles(...names: readonly string[]): string {
  return ["palette", "base", ...names].map(loadStyle).join("\n");
}
