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
