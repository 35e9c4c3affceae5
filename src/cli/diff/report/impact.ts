import type { ApiConfig } from "../../project/config.js";
import type { LoadedContract } from "../../load/load.js";
import type { Change } from "../change.js";
import type { Impact } from "../impact.js";
import { emitFiles } from "../../generate/files.js";
import { ContractError } from "tenon/core/document/contract-error";
import { askImpact, toUnasked } from "../../impact/ask.js";
import type { CodeProject, Generated } from "../../impact/question.js";
import { toModel } from "../../project/load-model.js";

/** A contract of a comparison, and how it is named in outputs. */
export interface NamedContract {
  readonly loaded: LoadedContract;
  readonly name: string;
}

export interface AskOptions {
  readonly base: NamedContract;
  readonly revision: NamedContract;
  readonly changes: readonly Change[];
  /** The API that the contracts are of; undefined when it is none of redocly.yaml. */
  readonly api: ApiConfig | undefined;
  /** The project whose code is asked for, or why there is none. */
  readonly project: CodeProject | string;
}

/** Makes the types of both contracts in memory, and asks the compiler what the changes mean to code. */
export function askCompiler({ base, revision, changes, api, project }: AskOptions): Impact {
  const [before, after] = [base, revision].map((contract) => emit(contract, api)) as [Emitted, Emitted];
  if (typeof before === "string") return toUnasked(before);
  if (typeof after === "string") return toUnasked(after);
  return askImpact({ sides: { base: before, revision: after }, changes, project });
}

/** What is generated; or why it cannot be, of a contract that is not fit for types. */
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
    return `types cannot be made of ${name}: ${problem?.message ?? ""}`;
  }
}
