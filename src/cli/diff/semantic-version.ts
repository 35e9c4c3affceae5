/** How much a version has to rise, by Semantic Versioning. */
export type Bump = "major" | "minor" | "patch" | "none";

/** A semantic version. */
export type Version = readonly [major: number, minor: number, patch: number];

/** @returns undefined for what is no `1.2.3`: pre-releases are not compared. */
export function parseVersion(version: string | undefined): Version | undefined {
  const [, ...parts] = /^(\d+)\.(\d+)\.(\d+)$/.exec(version ?? "") ?? [];
  const [major, minor, patch] = parts.map(Number);
  return major === undefined || minor === undefined || patch === undefined
    ? undefined
    : [major, minor, patch];
}

/** Below 1.0.0 nothing is stable: the second number tells of what breaks, the third of all else. */
export function raiseVersion([major, minor, patch]: Version, bump: Bump): Version {
  if (bump === "none") return [major, minor, patch];
  if (major === 0) return bump === "major" ? [0, minor + 1, 0] : [0, minor, patch + 1];
  if (bump === "major") return [major + 1, 0, 0];
  return bump === "minor" ? [major, minor + 1, 0] : [major, minor, patch + 1];
}

/** Below 0 when `a` is the lower one. */
export function compareVersions(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
