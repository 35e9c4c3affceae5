import process from "node:process";
import { buildContract } from "tenon/core/model";
import type { Node } from "tenon/core/document";
import { diffContracts, type DiffSettings, type LocatedContract, withImpact } from "../diff/index.js";
import { type CodeProject, findImpact, type Generated } from "../impact/index.js";
import { toImpactLines } from "./impact-lines.js";

/** The files generated from one API's last good contract and from the saved one. */
export interface ImpactRequest {
  readonly base: ReadonlyMap<string, string>;
  /** undefined: as in `base`. */
  readonly revision: ReadonlyMap<string, string | undefined>;
  readonly project: CodeProject;
  readonly diff?: DiffSettings;
}

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
