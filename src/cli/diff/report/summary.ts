import type { Diff } from "../diff-contracts.js";

/** `1 breaking, 2 risky and 3 safe changes; 1 ignored` */
export function showCounts({ counts, changes }: Diff): string {
  const { breaking, risky, safe } = counts;
  const ignored = changes.filter((change) => change.ignored !== undefined).length;
  const text = `${breaking} breaking, ${risky} risky and ${safe} safe changes`;
  return ignored === 0 ? text : `${text}; ${ignored} ignored`;
}

/** Describes the version check; undefined when no change requires a new version. */
export function showVersion({ version }: Diff): string | undefined {
  const { before, after, bump, proposed, enough } = version;
  if (bump === "none") return undefined;
  if (proposed === undefined)
    return `info.version is ${before ?? "missing"}, not a semantic version; the changes are ${bump}.`;
  if (enough)
    return `info.version rose from ${before ?? ""} to ${after ?? ""}; the changes require at least ${proposed}.`;
  return `info.version is ${after ?? "missing"}; ${bump} changes require at least ${proposed}.`;
}
