import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** The one address outside the site that Redoc's bundle would load: a logo in the menu's footer. */
const REMOTE_LOGO = "https://cdn.redoc.ly/redoc/logo-mini.svg";

/** An empty picture in the logo's place, so that the page asks no other host for anything. */
const EMPTY_PICTURE = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";

/**
 * The text of Redoc's browser bundle without its remote logo. The build copies the bundle beside this file; before a
 * build it comes from the development dependency.
 * @throws when there is neither, or when the bundle no longer has the logo's address where it is looked for.
 */
export function loadRedoc(): string {
  const copied = new URL("./redoc.standalone.js", import.meta.url);
  const bundle = existsSync(copied)
    ? copied
    : createRequire(import.meta.url).resolve("redoc/bundles/redoc.standalone.js");
  const text = readFileSync(bundle, "utf8");
  if (!text.includes(REMOTE_LOGO))
    throw new Error("Redoc's bundle has changed: its remote logo is somewhere else");
  return text.replaceAll(REMOTE_LOGO, EMPTY_PICTURE);
}
