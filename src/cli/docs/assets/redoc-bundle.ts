import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** The one address outside the site that Redoc's bundle would load: a logo in the menu's footer. */
const REMOTE_LOGO = "https://cdn.redoc.ly/redoc/logo-mini.svg";

/** An empty picture in the logo's place, so that the page asks no other host for anything. */
const EMPTY_PICTURE = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";

/** The bundle's licence notices, by the name that its first line refers to. */
export const REDOC_LICENSES = "redoc.standalone.js.LICENSE.txt";

/**
 * The text of Redoc's browser bundle without its remote logo.
 * @throws when the bundle is missing, or no longer has the logo's address where it is looked for.
 */
export function loadRedoc(): string {
  return withoutRemoteLogo(readBundled("redoc.standalone.js"));
}

/** The licence notices of Redoc and of what its bundle contains, which go wherever the bundle goes. */
export function loadRedocLicenses(): string {
  return readBundled(REDOC_LICENSES);
}

/** @throws when the logo's address is not there: then what the bundle loads has to be looked at anew. */
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
