import type { Changelog, ChangelogVersion, UnreadableRevision } from "./changelog.js";
import { toSection } from "./to-section.js";
import type { ApiConfig } from "../project/config.js";
import { isNode, toText } from "tenon/core/legacy/document";
import { getOwn } from "tenon/core/document/pointer";
import type { Level } from "../diff/change.js";
import { type Contract, judgeContracts, type Verdict } from "../diff/judge.js";
import { readVersion } from "../diff/metadata.js";
import { ContractError } from "tenon/core/document/contract-error";
import { groupChanges } from "../diff/report/group.js";
import { readContract } from "../diff/source/read-contract.js";
import type { ContractSource } from "../diff/source/source.js";
import { formatProblem } from "../output/format-problem.js";

/** The contract at one time. */
export interface State {
  /** What it is called where it has no version of its own. */
  readonly name: string;
  /** Undefined: the working tree. */
  readonly revision?: string;
  readonly date?: string;
  /** Milliseconds since 1970: what was removed then is judged by the sunsets that were past. */
  readonly instant: number;
  /** Undefined: there was no contract yet. */
  readonly open: () => Promise<Omit<ContractSource, "isOnDisk"> | undefined>;
  /** An old version that cannot be read is left out; one that was asked for by name is not. */
  readonly isNeeded: boolean;
  /** Compared with, and not told of itself. */
  readonly isBase: boolean;
}

interface Known {
  readonly state: State;
  readonly contract: Contract;
  readonly version: string | undefined;
}

export interface BuildOptions {
  readonly api: ApiConfig;
  readonly cwd: string;
  readonly tell: (step: string) => void;
}

/**
 * Compares each state with the one before it.
 * @param states Oldest first.
 * @returns undefined when none of them has a contract.
 * @throws {ContractError} when one that is needed cannot be read.
 */
export async function buildChangelog(
  states: readonly State[],
  { api, cwd, tell }: BuildOptions,
): Promise<Changelog | undefined> {
  const versions: ChangelogVersion[] = [];
  const unreadable: UnreadableRevision[] = [];
  let last: Known | undefined;
  for (const state of states) {
    tell(`Reading ${state.name}`);
    const contract = await read(state, api).catch((error: unknown) => {
      if (state.isNeeded || !(error instanceof ContractError)) throw error;
      unreadable.push({ revision: state.name, reason: toReason(error, cwd) });
      return undefined;
    });
    if (contract === undefined) continue;
    const known = { state, contract, version: readVersion(contract) };
    const version = state.isBase ? undefined : toVersion(known, last, api);
    if (version !== undefined) versions.unshift(version);
    last = known;
  }
  return last && { title: readTitle(last.contract), versions, unreadable };
}

async function read(state: State, api: ApiConfig): Promise<Contract | undefined> {
  const source = await state.open();
  return source && (await readContract(source, api));
}

/** @returns undefined when nothing changed. */
function toVersion(known: Known, last: Known | undefined, api: ApiConfig): ChangelogVersion | undefined {
  const { state, contract, version } = known;
  const { name, revision, date, instant } = state;
  const named = { ...(revision !== undefined && { revision }), ...(date !== undefined && { date }) };
  if (last === undefined) {
    const counts = { breaking: 0, risky: 0, safe: 0 };
    return { version: version ?? name, ...named, counts, changes: [] };
  }
  const verdict = judgeContracts({ base: last.contract, revision: contract }, { now: instant, ...api.diff });
  const isNumbered = version !== last.version;
  const changes = withoutVersion(verdict);
  if (changes.length === 0 && !isNumbered) return undefined;
  const count = (level: Level) =>
    changes.filter((change) => change.level === level && change.ignored === undefined).length;
  return {
    version: (isNumbered ? version : undefined) ?? name,
    ...named,
    since: last.state.name,
    counts: { breaking: count("breaking"), risky: count("risky"), safe: count("safe") },
    changes: groupChanges(changes).map(({ change, operations }) => {
      const { code, level, message, why, before, after, ignored } = change;
      return {
        section: toSection(change),
        code,
        level,
        operations,
        message,
        why,
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
        ...(ignored !== undefined && { ignored }),
      };
    }),
  };
}

/** The version is the heading. */
function withoutVersion({ changes }: Verdict): Verdict["changes"] {
  return changes.filter(({ code }) => code !== "version-changed");
}

function readTitle({ document }: Contract): string {
  const info = getOwn(document, "info");
  return (isNode(info) ? toText(info["title"]) : undefined) ?? "the API";
}

/** The first problem, without the path of this machine. */
function toReason({ problems }: ContractError, cwd: string): string {
  const [problem] = problems;
  return problem === undefined ? "it has problems" : formatProblem(problem, cwd).trim();
}
