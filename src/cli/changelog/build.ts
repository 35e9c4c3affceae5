import { ContractError } from "tenon/core/document";
import { countLevels, diffContracts, groupChanges, type LocatedContract } from "../diff/index.js";
import { type ContractSource, readContract } from "../diff/source/index.js";
import { formatProblem } from "../output/format-problem.js";
import type { ApiConfig } from "../project/index.js";
import { type Changelog, type ChangelogVersion, toSection, type UnreadableRevision } from "./changelog.js";

/** The contract at one time. */
export interface State {
  /** Its name if `info.version` did not change. */
  readonly name: string;
  /** Undefined: the working tree. */
  readonly revision?: string;
  readonly date?: string | undefined;
  /** Milliseconds since 1970. Removals are compared with the sunsets that had passed at that time. */
  readonly instant: number;
  /** @returns undefined if there was no contract yet. */
  readonly open: () => Promise<ContractSource | undefined>;
  /** An unreadable contract is an error, and not a skipped version. */
  readonly isRequired: boolean;
  /** Start of the range: later states are compared with it, but the changelog does not list it. */
  readonly isBase: boolean;
}

interface Known {
  readonly state: State;
  readonly contract: LocatedContract;
  readonly version: string | undefined;
}

export interface BuildOptions {
  readonly api: Pick<ApiConfig, "root" | "config" | "diff">;
  readonly cwd: string;
  readonly onStep: (step: string) => void;
}

/**
 * Compares each state with the one before it.
 * @param states Oldest first.
 * @returns undefined when no state has a contract.
 * @throws {ContractError} when a required contract cannot be read.
 */
export async function buildChangelog(
  states: readonly State[],
  { api, cwd, onStep }: BuildOptions,
): Promise<Changelog | undefined> {
  const versions: ChangelogVersion[] = [];
  const unreadable: UnreadableRevision[] = [];
  let last: Known | undefined;
  for (const state of states) {
    onStep(`Reading ${state.name}`);
    const source = await state.open();
    const reading = source && readContract(source, api);
    const contract = await reading?.catch((error: unknown) => {
      if (state.isRequired || !(error instanceof ContractError)) throw error;
      unreadable.push({ revision: state.name, reason: toReason(error, cwd) });
      return undefined;
    });
    if (contract === undefined) continue;
    const known = { state, contract, version: contract.contract.version || undefined };
    const version = state.isBase ? undefined : await toVersion(known, last, api);
    if (version !== undefined) versions.unshift(version);
    last = known;
  }
  return last && { title: last.contract.contract.title || "the API", versions, unreadable };
}

/** @returns undefined when nothing changed. */
async function toVersion(
  known: Known,
  last: Known | undefined,
  api: BuildOptions["api"],
): Promise<ChangelogVersion | undefined> {
  const { state, contract, version } = known;
  const { name, revision, date, instant } = state;
  if (last === undefined)
    return { version: version ?? name, revision, date, counts: countLevels([]), changes: [] };
  const diff = await diffContracts(
    { base: last.contract, revision: contract },
    { now: instant, ...api.diff },
  );
  const isNumbered = version !== last.version;
  // The version is in the heading.
  const changes = diff.changes.filter(({ code }) => code !== "version-changed");
  if (changes.length === 0 && !isNumbered) return undefined;
  return {
    version: (isNumbered ? version : undefined) ?? name,
    revision,
    date,
    since: last.state.name,
    counts: countLevels(changes),
    changes: groupChanges(changes).map(({ change, operations }) => {
      const { code, level, message, why, before, after, ignored } = change;
      return { section: toSection(change), code, level, operations, message, why, before, after, ignored };
    }),
  };
}

/** The first problem, with a relative path. */
function toReason({ problems }: ContractError, cwd: string): string {
  const [problem] = problems;
  return problem === undefined ? "it has problems" : formatProblem(problem, cwd).trim();
}
