import { existsSync, readFileSync } from "node:fs";
import { buildBrowserScript } from "./build-browser-script.js";

/** The scripts of the pages: each is a file of `browser/`. */
export const BROWSER_SCRIPTS = ["docs", "theme", "console"] as const;

const made = new Map<string, string>();

/** The text of a script of the pages. The build puts it beside this file's; before a build it is made of its sources. */
export function loadBrowserScript(name: (typeof BROWSER_SCRIPTS)[number]): string {
  const known = made.get(name);
  if (known !== undefined) return known;
  const built = new URL(`browser/${name}.js`, import.meta.url);
  const text = existsSync(built)
    ? readFileSync(built, "utf8")
    : buildBrowserScript(new URL(`browser/${name}.ts`, import.meta.url));
  made.set(name, text);
  return text;
}
