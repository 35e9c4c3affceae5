import type { Change } from "./change.js";

/** How much a version has to rise, by Semantic Versioning. */
export type Bump = "major" | "minor" | "patch" | "none";

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
  const [old, current] = [parse(before), parse(after)];
  if (old === undefined) return { before, after, bump, enough: before !== after || bump === "none" };
  const wanted = raise(old, bump);
  return {
    before,
    after,
    bump,
    proposed: wanted.join("."),
    enough: current !== undefined && compare(current, wanted) >= 0,
  };
}

function findBump(changes: readonly Change[]): Bump {
  if (changes.some(({ level }) => level === "breaking")) return "major";
  if (changes.some(({ code }) => !TEXTS.has(code))) return "minor";
  return changes.length > 0 ? "patch" : "none";
}

type Parts = readonly [major: number, minor: number, patch: number];

function parse(version: string | undefined): Parts | undefined {
  const [, ...parts] = /^(\d+)\.(\d+)\.(\d+)$/.exec(version ?? "") ?? [];
  const [major, minor, patch] = parts.map(Number);
  return major === undefined || minor === undefined || patch === undefined
    ? undefined
    : [major, minor, patch];
}

/** Below 1.0.0 nothing is stable: the second number tells of what breaks, the third of all else. */
function raise([major, minor, patch]: Parts, bump: Bump): Parts {
  if (bump === "none") return [major, minor, patch];
  if (major === 0) return bump === "major" ? [0, minor + 1, 0] : [0, minor, patch + 1];
  if (bump === "major") return [major + 1, 0, 0];
  return bump === "minor" ? [major, minor + 1, 0] : [major, minor, patch + 1];
}

function compare(a: Parts, b: Parts): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
