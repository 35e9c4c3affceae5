import type { SourcePosition } from "tenon/core/document";
import type { Contract } from "tenon/core/model";
import type { ChangeImpact, Impact, OperationImpact } from "../impact/index.js";
import { type Change, type Finding, type Level, LEVELS } from "./change.js";
import { CODES, type DiffSettings, findPolicyLevel, type Policy } from "./codes/index.js";
import { compareContracts, type CompareOptions } from "./contract/compare-contracts.js";
import { findUncompared, NOT_COMPARED } from "./contract/not-compared.js";
import type { Sides } from "./sides.js";
import { checkVersion, type VersionCheck } from "./version.js";

/** A contract with the source positions of its parts. */
export interface LocatedContract {
  readonly contract: Contract;
  readonly locate: Locate;
}

type Locate = (pointer: string) => Pick<SourcePosition, "file" | "line" | "pointer">;

export type DiffContractsOptions = CompareOptions & Partial<DiffSettings>;

export interface Diff {
  /** Breaking ones first. */
  readonly changes: readonly Change[];
  /** Number of changes by level, without ignored ones. */
  readonly counts: Readonly<Record<Level, number>>;
  readonly version: VersionCheck;
  /** The policy that decided the levels. */
  readonly policy: Policy;
  /** Kinds of parts that are never compared. */
  readonly notJudged: readonly string[];
  /** Parts that decide what is sent, differ, and are not compared. */
  readonly notCompared: readonly NotCompared[];
  /** Undefined: the compiler was not asked, see `withImpact`. */
  readonly impact?: Impact;
}

/** A part of a contract that is not compared. */
export type NotCompared = Pick<Change, "message" | "file" | "line" | "pointer">;

/** The output of `--format json`, see `src/cli/schemas/diff.schema.json`. */
export interface DiffReport extends Diff {
  /** Name in messages: `main:openapi/v1.yaml`. */
  readonly base: string;
  readonly revision: string;
}

/** Compares two contracts, and classifies and locates every change. */
export async function diffContracts(
  contracts: Sides<LocatedContract>,
  { levels = {}, ignore = [], policy = "default", ...options }: DiffContractsOptions,
): Promise<Diff> {
  const { base, revision } = contracts;
  const compared = { base: base.contract, revision: revision.contract };
  const findings = await compareContracts(compared, { ...options, policy });
  const locate = { base: remember(base.locate), revision: remember(revision.locate) };
  const findRest = (pointer: string) => {
    const { file, line } = locate.revision(pointer.slice(0, Math.max(pointer.lastIndexOf("/"), 1)));
    return { file, line };
  };
  const changes = findings
    .map((finding) => {
      const reason = ignore.find(({ code, operation }) => {
        return code === finding.code && (operation === undefined || operation === finding.operation);
      });
      const place = locate[finding.at.side](finding.at.pointer);
      const found = toChange(finding, { levels, policy }, place);
      const change =
        finding.at.side === "base" ? { ...found, removedFrom: findRest(finding.at.pointer) } : found;
      return reason === undefined ? change : { ...change, ignored: reason.reason };
    })
    .sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
  return {
    changes,
    counts: countLevels(changes),
    version: checkVersion(
      changes,
      base.contract.version || undefined,
      revision.contract.version || undefined,
    ),
    policy,
    notJudged: NOT_COMPARED,
    notCompared: findUncompared(compared).map(({ message, at }) => {
      const { file, line, pointer } = locate[at.side](at.pointer);
      return { message, file, line, pointer };
    }),
  };
}

/** Counts changes by level, without ignored ones. */
export function countLevels(changes: readonly Change[]): Diff["counts"] {
  const counts = { breaking: 0, risky: 0, safe: 0 };
  for (const { level, ignored } of changes) if (ignored === undefined) counts[level] += 1;
  return counts;
}

/** `1 breaking and 3 safe changes`, `1 safe change`, `No changes` */
export function showLevels(counts: Diff["counts"]): string {
  const levels = (["breaking", "risky", "safe"] as const).filter((level) => counts[level] > 0);
  const shown = levels.map((level) => `${counts[level]} ${level}`);
  const last = levels.at(-1);
  if (last === undefined) return "No changes";
  const text = [shown.slice(0, -1).join(", "), shown.at(-1)].filter(Boolean).join(" and ");
  return `${text} ${counts[last] === 1 ? "change" : "changes"}`;
}

function toChange(
  finding: Finding,
  { levels, policy }: Pick<DiffSettings, "levels"> & { readonly policy: Policy },
  place: Pick<SourcePosition, "file" | "line" | "pointer">,
): Change {
  const { code, operation, before, after, message, because, counterexample } = finding;
  const { level = "risky", why = "" } = CODES[code] ?? {};
  return {
    code,
    level: levels[code] ?? finding.level ?? findPolicyLevel(policy, code) ?? level,
    operation,
    pointer: place.pointer,
    before,
    after,
    file: place.file,
    line: place.line,
    message,
    why: because ?? why,
    ...(counterexample && { counterexample }),
  };
}

/** Caches positions: many changes are at one place. */
function remember(locate: Locate): Locate {
  const known = new Map<string, ReturnType<Locate>>();
  return (pointer) => {
    const found = known.get(pointer) ?? locate(pointer);
    known.set(pointer, found);
    return found;
  };
}

/** Adds the impact of its operation to each change; for clients, only that of the change's direction. */
export function withImpact(diff: Diff, impact: Impact): Diff {
  const byOperation = new Map(impact.operations.map((found) => [found.operation, found]));
  return {
    ...diff,
    impact,
    changes: diff.changes.map((change) => {
      const found = byOperation.get(change.operation);
      return found === undefined ? change : { ...change, impact: toChangeImpact(change, found) };
    }),
  };
}

function toChangeImpact(
  { code }: Change,
  { clients, handlerMissing, places }: OperationImpact,
): ChangeImpact {
  const direction = CODES[code]?.direction;
  return {
    ...(clients && {
      clients: clients.filter((found) => direction === undefined || found.direction === direction),
    }),
    ...(handlerMissing && { handlerMissing }),
    places,
  };
}
