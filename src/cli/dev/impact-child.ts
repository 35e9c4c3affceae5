import process from "node:process";
import { buildContract } from "tenon/core/model";
import type { Node } from "tenon/core/document";
import {
  type ChangeGroup,
  type Diff,
  diffContracts,
  type DiffSettings,
  groupChanges,
  showOperations,
  withImpact,
} from "../diff/index.js";
import {
  findSilent,
  showClients,
  showConsequences,
  showCounts,
  showImpact,
  showPlace,
  takeFirst,
} from "../diff/report/index.js";
import { type CodeProject, findImpact } from "../impact/index.js";
import { toVisible } from "../output/visible.js";

/** The files generated from one API's last good contract and from the saved one. */
export interface ImpactRequest {
  readonly base: ReadonlyMap<string, string>;
  /** undefined: as in `base`. */
  readonly revision: ReadonlyMap<string, string | undefined>;
  readonly project: CodeProject;
  readonly diff: DiffSettings | undefined;
}

/** Maximum number of changes that are printed; `tenon diff` prints all. */
const MOST_CHANGES = 10;

/** Maximum number of places that are printed for a change; the type check has printed all. */
const MOST_PLACES = 5;

process.once("message", (request: ImpactRequest) => {
  void compare(request).then((lines) => {
    process.send?.(lines, () => {
      // The channel would keep the process alive. It is already closed if the parent has ended.
      if (process.connected) process.disconnect();
    });
  });
});

/** Compares two contracts. Both are valid, because code was generated from them. */
async function compare({ base, revision, project, diff }: ImpactRequest): Promise<readonly string[]> {
  const files = new Map([...revision].map(([name, text]) => [name, text ?? base.get(name) ?? ""]));
  const [before, after] = [toSide(base), toSide(files)];
  const contracts = { base: before.contract, revision: after.contract };
  const compared = await diffContracts(contracts, { now: Date.now(), ...diff });
  const sides = { base: before.generated, revision: after.generated };
  return toImpactLines(withImpact(compared, findImpact({ sides, changes: compared.changes, project })));
}

function toSide(files: ReadonlyMap<string, string>) {
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
  return [
    `since the last good contract: ${showCounts(diff)}`,
    ...groups.slice(0, MOST_CHANGES).flatMap(toLines),
    ...(groups.length > MOST_CHANGES ? [`  and ${groups.length - MOST_CHANGES} more`] : []),
    ...findSilent(diff).flatMap((found) =>
      showClients("safe", found).map((text) => `  ${found.operation ?? "the contract"}  ${text}`),
    ),
    ...impact.elsewhere
      .slice(0, MOST_PLACES)
      .map((place) => `  other code that does not compile: ${showPlace(place)}`),
    showImpact(impact),
  ].map(toVisible);
}

function isWorthPrinting({ change, impact }: ChangeGroup): boolean {
  if (change.level !== "safe" || impact?.handlerMissing) return true;
  return (impact?.clients ?? []).length > 0 || (impact?.places ?? []).length > 0;
}

function toLines({ change, operations, impact }: ChangeGroup): readonly string[] {
  const shown = takeFirst((impact?.places ?? []).map(showPlace), MOST_PLACES);
  return [
    `  ${change.level}  ${showOperations(operations)}  ${change.message}`,
    ...showConsequences(change, impact).map((text) => `    ${text}`),
    ...(shown.length === 0 ? [] : [`    Code: ${shown.join(", ")}`]),
  ];
}
