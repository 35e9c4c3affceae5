import type { Change } from "../diff/index.js";

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
