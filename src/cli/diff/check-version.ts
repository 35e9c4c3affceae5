import type { Change } from "./change.js";
import { type Bump, compareVersions, parseVersion, raiseVersion } from "./semantic-version.js";

export interface VersionCheck {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly bump: Bump;
  /** The lowest version that the changes allow. Undefined: the base has no semantic version. */
  readonly proposed?: string;
  /** The version of the revision is `proposed` or higher. */
  readonly enough: boolean;
}

/** Codes of changes that only require a patch. */
const TEXTS: ReadonlySet<string> = new Set(["texts-changed"]);
const NO_CHANGE: ReadonlySet<string> = new Set(["version-changed"]);

/** Checks info.version against the changes that are not ignored. */
export function checkVersion(
  changes: readonly Change[],
  before: string | undefined,
  after: string | undefined,
): VersionCheck {
  const bump = findBump(changes.filter(({ code, ignored }) => ignored === undefined && !NO_CHANGE.has(code)));
  const [old, current] = [parseVersion(before), parseVersion(after)];
  if (old === undefined) return { before, after, bump, enough: before !== after || bump === "none" };
  const wanted = raiseVersion(old, bump);
  return {
    before,
    after,
    bump,
    proposed: wanted.join("."),
    enough: current !== undefined && compareVersions(current, wanted) >= 0,
  };
}

function findBump(changes: readonly Change[]): Bump {
  if (changes.some(({ level }) => level === "breaking")) return "major";
  if (changes.some(({ code }) => !TEXTS.has(code))) return "minor";
  return changes.length > 0 ? "patch" : "none";
}
