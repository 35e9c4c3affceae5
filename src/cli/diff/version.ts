import type { Change } from "./change.js";

export interface VersionCheck {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly bump: Bump;
  /** The lowest version that the changes allow. Undefined: the base has no semantic version. */
  readonly proposed?: string;
  /** The version of the revision is `proposed` or higher. */
  readonly enough: boolean;
}

/** Checks info.version against the changes that are not ignored. */
export function checkVersion(
  changes: readonly Change[],
  before: string | undefined,
  after: string | undefined,
): VersionCheck {
  const counted = changes.filter(({ code, ignored }) => ignored === undefined && code !== "version-changed");
  const bump = findBump(counted);
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
  if (changes.some(({ code }) => code !== "texts-changed")) return "minor";
  return changes.length > 0 ? "patch" : "none";
}

/** The part of a version that Semantic Versioning requires to rise. */
export type Bump = "major" | "minor" | "patch" | "none";

/** A semantic version. */
export type Version = readonly [major: number, minor: number, patch: number];

/** Parses `1.2.3`. @returns undefined for any other form, pre-releases included. */
export function parseVersion(version: string | undefined): Version | undefined {
  const [, ...parts] = /^(\d+)\.(\d+)\.(\d+)$/.exec(version ?? "") ?? [];
  const [major, minor, patch] = parts.map(Number);
  return major === undefined || minor === undefined || patch === undefined
    ? undefined
    : [major, minor, patch];
}

/** Raises a version. Below 1.0.0 the second number rises for breaking changes, the third for all others. */
export function raiseVersion([major, minor, patch]: Version, bump: Bump): Version {
  if (bump === "none") return [major, minor, patch];
  if (major === 0) return bump === "major" ? [0, minor + 1, 0] : [0, minor, patch + 1];
  if (bump === "major") return [major + 1, 0, 0];
  return bump === "minor" ? [major, minor + 1, 0] : [major, minor, patch + 1];
}

/** Compares two versions. @returns a negative number when `a` is lower. */
export function compareVersions(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
