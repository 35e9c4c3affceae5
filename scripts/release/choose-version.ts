import { compareVersions, parseVersion, raiseVersion, type Version } from "../../src/cli/diff/version.js";

export interface Wish {
  /** `major`, `minor`, `patch`, or a version itself. */
  readonly wanted: string;
  /** The version of package.json. */
  readonly current: string;
  /** Whether the current one was released. */
  readonly released: boolean;
  /** Whether anything since then breaks somebody. */
  readonly breaking: boolean;
}

/**
 * The version of the next release.
 * @throws {Error} when it is none, or says less than what has changed.
 */
export function chooseVersion({ wanted, current, released, breaking }: Wish): string {
  const last = parseVersion(current);
  if (last === undefined) throw new Error(`package.json: "version" is ${current}, which is no 1.2.3.`);
  const next = isBump(wanted) ? raisePlainly(last, wanted) : parseVersion(wanted);
  if (next === undefined)
    throw new Error(`${wanted} is neither major, minor nor patch, nor a version like 1.2.3.`);
  const least = released ? raiseVersion(last, breaking ? "major" : "patch") : last;
  if (compareVersions(next, least) < 0) {
    const reason =
      breaking && released
        ? "CHANGELOG.md says that something breaks"
        : `${current} is ${released ? "released" : "next"}`;
    throw new Error(
      `${next.join(".")} is too low: ${reason}, so that it has to be ${least.join(".")} or higher.`,
    );
  }
  return next.join(".");
}

function isBump(wanted: string): wanted is "major" | "minor" | "patch" {
  return ["major", "minor", "patch"].includes(wanted);
}

/** By the number that is named, also below 1.0.0. */
function raisePlainly([major, minor, patch]: Version, bump: "major" | "minor" | "patch"): Version {
  if (bump === "major") return [major + 1, 0, 0];
  return bump === "minor" ? [major, minor + 1, 0] : [major, minor, patch + 1];
}
