/** What is written since the last release, in CHANGELOG.md. */
const UNRELEASED = "## Unreleased\n";

/** Whether CHANGELOG.md says what a version has. */
export function hasRelease(changelog: string, version: string): boolean {
  return changelog.split("\n").some((line) => line.startsWith(`## ${version} `));
}

/** What is written below "Unreleased", up to the version before. */
export function readUnreleased(changelog: string): string {
  const [, rest = ""] = changelog.split(UNRELEASED, 2);
  return (rest.split("\n## ", 1)[0] ?? "").trim();
}

/**
 * Gives what is unreleased the heading of a version, below an "Unreleased" that is empty again.
 * @param day `2026-11-21`.
 */
export function release(changelog: string, version: string, day: string): string {
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} (${day})\n`);
}

/** Whether an entry says that it breaks somebody: it starts with "**Breaking:**". */
export function breaks(unreleased: string): boolean {
  return /^- \*\*Breaking:\*\*/m.test(unreleased);
}
