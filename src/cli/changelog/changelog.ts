import type { Level } from "../diff/change.js";

/** What a service's folder of generated files has it as. */
export const CHANGELOG_FILE = "changelog.json";

/** The history of a contract. Data, see `changelog.schema.json`: Markdown and the page of the docs are made of it. */
export interface Changelog {
  /** `info.title` of the newest version. */
  readonly title: string;
  /** Newest first. Without those that changed nothing. */
  readonly versions: readonly ChangelogVersion[];
  /** Revisions that were left out because their contract cannot be read; what they changed is told of the next one. */
  readonly unreadable: readonly UnreadableRevision[];
}

export interface ChangelogVersion {
  /** `info.version`, or the name of the revision where that did not change: `1.2.0`, `v1.2.0`, `Unreleased`. */
  readonly version: string;
  /** The tag or revision; undefined: the contract as it lies in the working tree. */
  readonly revision?: string;
  /** `2026-11-21`, of the tag. */
  readonly date?: string;
  /** The revision that it is compared with; undefined: it is the first. */
  readonly since?: string;
  /** Those of an operation are counted for each. What is ignored is not counted. */
  readonly counts: Readonly<Record<Level, number>>;
  readonly changes: readonly ChangelogChange[];
}

/** One change with every operation that it is a change of. */
export interface ChangelogChange {
  readonly section: ChangelogSection;
  /** A key of `CODES`. */
  readonly code: string;
  readonly level: Level;
  /** Empty: the contract as a whole. */
  readonly operations: readonly string[];
  readonly message: string;
  readonly why: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Reason for not minding it. */
  readonly ignored?: string;
}

export interface UnreadableRevision {
  readonly revision: string;
  readonly reason: string;
}

/** What is gone or will be stands first, whatever its level. */
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

/** Told of a history without versions. */
export const NOTHING = "Nothing changed.";

/** `1 breaking, 0 risky and 3 safe changes since v1.0.0.` */
export function summarise({ since, counts, changes }: ChangelogVersion): string {
  if (since === undefined) return "The first version that is told of.";
  const { breaking, risky, safe } = counts;
  if (changes.length === 0) return `Nothing but the number changed since ${since}.`;
  if (breaking + risky + safe === 0) return `All changes since ${since} are ignored.`;
  return `${breaking} breaking, ${risky} risky and ${safe} safe changes since ${since}.`;
}
