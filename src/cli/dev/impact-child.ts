import process from "node:process";
import { buildContract } from "tenon/core/model";
import type { DiffSettings } from "../project/index.js";
import type { Node } from "tenon/core/document";
import {
  type ChangeGroup,
  type Diff,
  diffContracts,
  groupChanges,
  type LocatedContract,
  showOperations,
  withImpact,
} from "../diff/index.js";
import { findSilent, showClients, showCounts, showImpact, showPlace, toPlain } from "../diff/report/index.js";
import { type CodeProject, findImpact, type Generated } from "../impact/index.js";

/** The files generated from one API's last good contract and from the saved one. */
export interface ImpactRequest {
  readonly base: ReadonlyMap<string, string>;
  /** undefined: as in `base`. */
  readonly revision: ReadonlyMap<string, string | undefined>;
  readonly project: CodeProject;
  readonly diff?: DiffSettings;
}

/** Maximum number of changes that are printed; `tenon diff` prints all. */
const MOST_CHANGES = 10;

/** Maximum number of places that are printed for a change; the type check has printed all. */
const MOST_PLACES = 5;

process.once("message", (request: ImpactRequest) => {
  process.send?.(compare(request), () => {
    // The channel would keep the process alive. It is already closed if the parent has ended.
    if (process.connected) process.disconnect();
  });
});

/** Compares two contracts. Both are valid, because code was generated from them. */
function compare({ base, revision, project, diff }: ImpactRequest): readonly string[] {
  const files = new Map([...revision].map(([name, text]) => [name, text ?? base.get(name) ?? ""]));
  const [before, after] = [base, files].map((side) => toSide(side)) as [Side, Side];
  const contracts = { base: before.contract, revision: after.contract };
  const compared = diffContracts(contracts, { now: Date.now(), ...diff });
  const sides = { base: before.generated, revision: after.generated };
  return toImpactLines(withImpact(compared, findImpact({ sides, changes: compared.changes, project })));
}

interface Side {
  readonly contract: LocatedContract;
  readonly generated: Generated;
}

function toSide(files: ReadonlyMap<string, string>): Side {
  const document = JSON.parse(files.get("contract.json") ?? "{}") as Node;
  // Places of changes are not printed: the author has the saved contract open.
  const locate = (pointer: string) => ({ file: "contract.json", line: 1, pointer });
  const contract = buildContract(document);
  return { contract: { contract, locate }, generated: { files, operations: contract.operations } };
}

/**
 * Describes the effect of a saved contract in short lines: changes that are not safe or that affect code. Empty when only texts
 * changed.
 */
function toImpactLines(diff: Diff): readonly string[] {
  const { changes, impact } = diff;
  if (impact === undefined || changes.every(({ code }) => code === "texts-changed")) return [];
  const groups = groupChanges(changes.filter(({ ignored }) => ignored === undefined)).filter(isWorthPrinting);
  const rest = groups.length - MOST_CHANGES;
  return [
    `since the last good contract: ${showCounts(diff)}`,
    ...groups.slice(0, MOST_CHANGES).flatMap(toLines),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    ...findSilent(diff).flatMap((found) => {
      const clients = showClients({ level: "safe" }, found);
      return clients === undefined ? [] : [`  ${found.operation ?? "the contract"}  ${clients}`];
    }),
    ...impact.elsewhere.slice(0, MOST_PLACES).map((place) => `  code of no operation: ${showPlace(place)}`),
    showImpact(impact).join(" "),
  ].map(toPlain);
}

function isWorthPrinting({ change, impact }: ChangeGroup): boolean {
  if (change.level !== "safe" || impact?.handlerMissing) return true;
  return (impact?.clients ?? []).length > 0 || (impact?.places ?? []).length > 0;
}

function toLines({ change, operations, impact }: ChangeGroup): readonly string[] {
  const clients = showClients(change, impact);
  const places = impact?.places ?? [];
  const rest = places.length - MOST_PLACES;
  const shown = [...places.slice(0, MOST_PLACES).map(showPlace), ...(rest > 0 ? [`and ${rest} more`] : [])];
  return [
    `  ${change.level}  ${showOperations(operations)}  ${change.message}`,
    ...(clients === undefined ? [] : [`    ${clients}`]),
    ...(impact?.handlerMissing ? ["    It has no handler yet."] : []),
    ...(shown.length === 0 ? [] : [`    Code: ${shown.join(", ")}`]),
  ];
}
