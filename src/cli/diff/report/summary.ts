import type { Verdict } from "../judge.js";

/** `1 breaking, 2 risky and 3 safe changes`, with those that are ignored. */
export function showCounts({ counts, changes }: Verdict): string {
  const { breaking, risky, safe } = counts;
  const ignored = changes.filter((change) => change.ignored !== undefined).length;
  const told = `${breaking} breaking, ${risky} risky and ${safe} safe changes`;
  return ignored === 0 ? told : `${told}; ${ignored} ignored`;
}

/** What the changes ask of `info.version`; undefined when they ask nothing. */
export function showVersion({ version }: Verdict): string | undefined {
  const { before, after, bump, proposed, enough } = version;
  if (bump === "none") return undefined;
  if (proposed === undefined)
    return `The version ${before ?? "(none)"} is no semantic one; the changes are ${bump}.`;
  if (enough) return `The version rose from ${before ?? ""} to ${after ?? ""}; ${proposed} is enough.`;
  return `The version is ${after ?? "(none)"}, and should be ${proposed} or higher: the changes are ${bump}.`;
}
