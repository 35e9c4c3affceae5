import type { ApiConfig } from "../project/config.js";
import type { LoadedContract } from "../load/load.js";
import type { Change } from "./change.js";
import type { Impact } from "./impact.js";
import { emitFiles } from "../generate/files.js";
import { ContractError } from "tenon/core/document";
import { type CodeProject, findImpact, type Generated, noImpact } from "../impact/index.js";
import { toModel } from "../project/load-model.js";

/** A loaded contract and its name in outputs. */
export interface NamedContract {
  readonly loaded: LoadedContract;
  readonly name: string;
}

export interface AskOptions {
  readonly base: NamedContract;
  readonly revision: NamedContract;
  readonly changes: readonly Change[];
  /** The API of the contracts. Undefined: not in redocly.yaml. */
  readonly api: ApiConfig | undefined;
  /** The project whose code is checked, or the reason why there is none. */
  readonly project: CodeProject | string;
}

/** Generates the types of both contracts in memory, and asks the compiler for the impact of the changes on code. */
export function askCompiler({ base, revision, changes, api, project }: AskOptions): Impact {
  const [before, after] = [base, revision].map((contract) => emit(contract, api)) as [Emitted, Emitted];
  if (typeof before === "string") return noImpact(before);
  if (typeof after === "string") return noImpact(after);
  return findImpact({ sides: { base: before, revision: after }, changes, project });
}

/** The generated files, or the reason why types cannot be generated. */
type Emitted = Generated | string;

function emit({ loaded, name }: NamedContract, api: ApiConfig | undefined): Emitted {
  try {
    const { contract } = toModel(loaded);
    const { files } = emitFiles(contract, loaded.document, {
      source: "",
      split: api?.split,
      module: api?.module,
    });
    return { files, operations: contract.operations };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const [problem] = error.problems;
    return `types cannot be generated from ${name}: ${problem?.message ?? ""}`;
  }
}
