import { existsSync, readFileSync } from "node:fs";
import { buildBrowserScript } from "./build-browser-script.js";
import { createRequire } from "node:module";

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

/**
 * Loads the styles of a page, which begin with those of every page.
 * @param names Files of `styles/`.
 */
export function loadStyles(...names: readonly string[]): string {
  const read = (name: string) => readFileSync(new URL(`styles/${name}.css`, import.meta.url), "utf8");
  return ["palette", "base", ...names].map(read).join("\n");
}

/** The one address outside the site that Redoc's bundle would load: a logo in the menu's footer. */
const REMOTE_LOGO = "https://cdn.redoc.ly/redoc/logo-mini.svg";

/** An empty picture in the logo's place, so that the page asks no other host for anything. */
const EMPTY_PICTURE = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";

/** The bundle's licence notices, by the name that its first line refers to. */
export const REDOC_LICENSES = "redoc.standalone.js.LICENSE.txt";

/** Loads Redoc's browser bundle without its remote logo. */
export function loadRedoc(): string {
  return withoutRemoteLogo(readBundled("redoc.standalone.js"));
}

/** Loads the licence notices of Redoc and of the packages in its bundle, which have to be published with it. */
export function loadRedocLicenses(): string {
  return readBundled(REDOC_LICENSES);
}

/** @throws when the logo's address is missing: then the addresses that the bundle loads have to be reviewed. */
export function withoutRemoteLogo(bundle: string): string {
  if (!bundle.includes(REMOTE_LOGO))
    throw new Error(`Redoc's bundle has changed: its remote logo is no longer at ${REMOTE_LOGO}`);
  return bundle.replaceAll(REMOTE_LOGO, EMPTY_PICTURE);
}

/** The build copies the files beside this one; before a build they come from the development dependency. */
function readBundled(name: string): string {
  const copied = new URL(name, import.meta.url);
  return readFileSync(
    existsSync(copied) ? copied : createRequire(import.meta.url).resolve(`redoc/bundles/${name}`),
    "utf8",
  );
}
