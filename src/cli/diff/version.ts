import type { Change } from "./change.js";
import { type Bump, compareVersions, parseVersion, raiseVersion } from "./semantic-version.js";

export interface VersionVerdict {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly bump: Bump;
  /** The least version that tells of the changes; undefined where the base's is no semantic one. */
  readonly proposed?: string;
  /** Whether the revision's version is that or higher. */
  readonly enough: boolean;
}

/** Changes that no program notices. */
const TEXTS: ReadonlySet<string> = new Set(["texts-changed"]);
const NO_CHANGE: ReadonlySet<string> = new Set(["version-changed"]);

/** Compares the versions of two contracts with what is different between them. What is ignored does not count. */
export function judgeVersion(
  changes: readonly Change[],
  before: string | undefined,
  after: string | undefined,
): VersionVerdict {
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
