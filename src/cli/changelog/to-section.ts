import type { Change } from "../diff/change.js";
import type { ChangelogSection } from "./changelog.js";

const WHOLE = "(?:operation|webhook|callback)";
const REMOVED = new RegExp(`^${WHOLE}-removed|-removed-after-sunset$`);
const ADDED = new RegExp(`^${WHOLE}-added$`);
/** What tells of an end, or takes it back. */
const DEPRECATED = /deprecated|sunset-|^replacement-/;

/** Where a changelog tells of a change. */
export function toSection({ code, level }: Pick<Change, "code" | "level">): ChangelogSection {
  if (REMOVED.test(code)) return "removed";
  if (DEPRECATED.test(code)) return "deprecated";
  if (ADDED.test(code)) return "added";
  return level;
}
