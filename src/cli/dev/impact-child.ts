import process from "node:process";
import { buildModel } from "tenon/core/legacy/build-model";
import type { DiffSettings } from "../project/config-diff.js";
import type { Node } from "tenon/core/legacy/document";
import { withImpact } from "../diff/impact.js";
import { type Contract, judgeContracts } from "../diff/judge.js";
import { askImpact } from "../impact/ask.js";
import type { CodeProject, Generated } from "../impact/question.js";
import { toImpactLines } from "./impact-lines.js";

/** What is generated from one API's last good contract and from the saved one. */
export interface ImpactRequest {
  readonly base: ReadonlyMap<string, string>;
  /** undefined: as in `base`. */
  readonly revision: ReadonlyMap<string, string | undefined>;
  readonly project: CodeProject;
  readonly diff?: DiffSettings;
}

process.once("message", (request: ImpactRequest) => {
  process.send?.(answer(request), () => {
    // The channel would keep the process alive. Where nobody is at its other end any more, it is gone.
    if (process.connected) process.disconnect();
  });
});

/** Compares contracts that have been generated from before, so that both are known to be good. */
function answer({ base, revision, project, diff }: ImpactRequest): readonly string[] {
  const files = new Map([...revision].map(([name, text]) => [name, text ?? base.get(name) ?? ""]));
  const [before, after] = [base, files].map((side) => toSide(side)) as [Side, Side];
  const contracts = { base: before.contract, revision: after.contract };
  const verdict = judgeContracts(contracts, { now: Date.now(), ...diff });
  const sides = { base: before.generated, revision: after.generated };
  return toImpactLines(withImpact(verdict, askImpact({ sides, changes: verdict.changes, project })));
}

interface Side {
  readonly contract: Contract;
  readonly generated: Generated;
}

function toSide(files: ReadonlyMap<string, string>): Side {
  const document = JSON.parse(files.get("contract.json") ?? "{}") as Node;
  // Where changes were written is not told: who saved the contract has it before them.
  const locate = (pointer: string) => ({ file: "contract.json", line: 1, pointer });
  const { operations } = buildModel({ document, report: () => undefined });
  return { contract: { document, locate }, generated: { files, operations } };
}
