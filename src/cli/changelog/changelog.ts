import { type Change, type Level, showLevels } from "../diff/index.js";

/** The history of a contract. The data of all formats, see `changelog.schema.json`. */
export interface Changelog {
  /** `info.title` of the newest version. */
  readonly title: string;
  /** Newest first, without versions that changed nothing. */
  readonly versions: readonly ChangelogVersion[];
  /** Revisions whose contract cannot be read. Their changes are part of the next version. */
  readonly unreadable: readonly UnreadableRevision[];
}

export interface ChangelogVersion {
  /** `info.version`, or the name of the revision if that did not change: `1.2.0`, `v1.2.0`, `Unreleased`. */
  readonly version: string;
  /** The tag or revision. Undefined: the working tree. */
  readonly revision?: string | undefined;
  /** Date of the tag: `2026-11-21`. */
  readonly date?: string | undefined;
  /** The revision that it is compared with. Undefined: it is the first version. */
  readonly since?: string;
  /** Number of changes by level, for each operation, without ignored changes. */
  readonly counts: Readonly<Record<Level, number>>;
  readonly changes: readonly ChangelogChange[];
}

/** One change with every operation that it affects. */
export interface ChangelogChange {
  readonly section: ChangelogSection;
  /** A key of `CODES`. */
  readonly code: string;
  readonly level: Level;
  /** Empty: the whole contract. */
  readonly operations: readonly string[];
  readonly message: string;
  readonly why: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** The reason for ignoring it. */
  readonly ignored?: string | undefined;
}

export interface UnreadableRevision {
  readonly revision: string;
  readonly reason: string;
}

/** Sections in the order of a changelog. Removals and deprecations come first, whatever their level. */
export const SECTIONS = ["removed", "deprecated", "breaking", "risky", "added", "safe"] as const;

export type ChangelogSection = (typeof SECTIONS)[number];

export const SECTION_NAMES: Readonly<Record<ChangelogSection, string>> = {
  removed: "Removed",
  deprecated: "Deprecated",
  breaking: "Breaking",
  risky: "Risky",
  added: "Added",
  safe: "Also changed",
};

const WHOLE = "(?:operation|webhook|callback)";
const REMOVED = new RegExp(`^${WHOLE}-removed|-removed-after-sunset$`);
const ADDED = new RegExp(`^${WHOLE}-added$`);
/** Announcements of a removal, and their withdrawal. */
const DEPRECATED = /deprecated|sunset-|^replacement-/;

/** The section of a change. */
export function toSection({ code, level }: Pick<Change, "code" | "level">): ChangelogSection {
  if (REMOVED.test(code)) return "removed";
  if (DEPRECATED.test(code)) return "deprecated";
  if (ADDED.test(code)) return "added";
  return level;
}

/** The text of a changelog without versions. */
export const NO_CHANGES = "No changes.";

/** `1 breaking and 3 safe changes since v1.0.0.` */
export function summarise({ since, counts, changes }: ChangelogVersion): string {
  if (since === undefined) return "First version in this changelog.";
  const { breaking, risky, safe } = counts;
  if (changes.length === 0) return `Only the version number changed since ${since}.`;
  if (breaking + risky + safe === 0) return `All changes since ${since} are ignored.`;
  return `${showLevels(counts)} since ${since}.`;
}
