import { dirname, relative } from "node:path";
import { type Config, isAbsoluteUrl } from "@redocly/openapi-core";
import {
  ContractError,
  type ContractProblemCode,
  createProblem,
  isNode,
  type Problem,
} from "tenon/core/document";
import { buildContract, type Contract } from "tenon/core/model";
import {
  findParts,
  loadContract,
  type LoadedContract,
  type LoadOptions,
  type Part,
  removeInvalidDefaults,
} from "../load/index.js";
import type { ApiConfig } from "./config.js";

export interface LoadedModel extends LoadedContract {
  readonly contract: Contract;
}

export interface Model extends Pick<LoadedModel, "contract"> {
  readonly warnings: readonly Finding[];
}

/** A problem with a node of the bundled document, not yet located in its file. */
export interface Finding {
  readonly code: ContractProblemCode;
  readonly pointer: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The settings that a contract is loaded with. */
type LoadedApi = Pick<ApiConfig, "root" | "config"> & Partial<Pick<ApiConfig, "positions">>;

/**
 * Loads a contract and builds its model.
 * @throws {ContractError} with every problem when one of them is an error.
 */
export async function loadModel(api: LoadedApi): Promise<LoadedModel> {
  const loaded = await loadServed(api);
  const { contract, warnings } = await toModel(loaded);
  return { ...loaded, contract, problems: [...loaded.problems, ...toProblems(warnings, loaded)] };
}

/** Rounds after which a contract still has errors only if leaving out a part causes others, again and again. */
const MAX_ROUNDS = 20;

/**
 * Loads a contract. If `x-tenon.lenient` is true, the operations and components with an error are left out, with a warning for each.
 * @throws {ContractError} with every problem when one of them is an error.
 */
export async function loadServed(api: LoadedApi, options: LoadOptions = {}): Promise<LoadedContract> {
  try {
    return await (isLenient(api.config)
      ? loadParts(api, options)
      : loadContract(api.root, api.config, options));
  } catch (error) {
    throw toNamedError(error, api);
  }
}

/** Reports a root document or overlay that cannot be read where redocly.yaml names it: the file itself may not exist. */
function toNamedError(error: unknown, { positions }: LoadedApi): unknown {
  if (!(error instanceof ContractError)) return error;
  const [problem] = error.problems;
  const position = positions?.get(problem?.file ?? "");
  if (problem?.code !== "document-unreadable" || position === undefined) return error;
  const { code, file, message, hint } = problem;
  const name = isAbsoluteUrl(file) ? file : relative(dirname(position.file), file);
  const text = message.replace("the file", JSON.stringify(name));
  return new ContractError([createProblem(code, text, position, hint)], { cause: error });
}

async function loadParts({ root, config }: LoadedApi, options: LoadOptions): Promise<LoadedContract> {
  const leftOut = new Map<Part, Problem>();
  let first: ContractError | undefined;
  for (let round = 1; ; round += 1) {
    const given = { ...options, lint: true, leftOut: [...leftOut.keys()] };
    try {
      const loaded = await loadContract(root, config, given);
      // A contract without operations serves nothing.
      if ((await toModel(loaded)).contract.operations.length === 0 && first !== undefined) throw first;
      const warnings = [...leftOut].map(([{ name }, { message, hint, file, line, column, pointer }]) => {
        const position = { file, line, column, pointer };
        return createProblem("part-left-out", `Left out: ${name}. ${message}`, position, hint);
      });
      return { ...loaded, problems: [...warnings, ...loaded.problems] };
    } catch (error) {
      if (!(error instanceof ContractError) || error === first || round === MAX_ROUNDS) throw error;
      first ??= error;
      const errors = error.problems.filter(({ severity }) => severity === "error");
      const parts = await findParts(root, config, { ...given, errors });
      if (parts === undefined || parts.size === 0) throw error;
      for (const [part, problem] of parts) leftOut.set(part, problem);
    }
  }
}

/** Reads `x-tenon.lenient` of an API, which is validated with the other settings. */
export function isLenient({ resolvedConfig }: Pick<Config, "resolvedConfig">): boolean {
  const extension = (resolvedConfig as Readonly<Record<string, unknown>>)["x-tenon"];
  return isNode(extension) && extension["lenient"] === true;
}

/**
 * Builds the model of a loaded contract, and removes the invalid defaults from its document.
 * @throws {ContractError} with every problem when one of them is an error.
 */
export async function toModel(loaded: LoadedContract): Promise<Model> {
  const model = buildModel(loaded);
  const ignored = await removeInvalidDefaults(model.contract, loaded.document);
  if (ignored.length === 0) return model;
  const { contract, warnings } = buildModel(loaded);
  return { contract, warnings: [...ignored, ...warnings] };
}

function buildModel(loaded: LoadedContract): Model {
  const { document } = loaded;
  // A component has the same problem in each operation that refers to it.
  const byText = new Map<string, Finding>();
  const contract = buildContract(document, {
    report: (code, pointer, message, hint) => {
      const finding = { code, pointer, message, hint };
      byText.set(JSON.stringify(finding), finding);
    },
  });
  const warnings = [...byText.values()];
  const problems = toProblems(warnings, loaded);
  if (problems.some(({ severity }) => severity === "error")) {
    throw new ContractError([...loaded.problems, ...problems]);
  }
  return { contract, warnings };
}

/** Locates findings in the files of their contract. */
export function toProblems(
  findings: readonly Finding[],
  { locate }: Pick<LoadedContract, "locate">,
): readonly Problem[] {
  return findings.map(({ code, pointer, message, hint }) =>
    createProblem(code, message, locate(pointer), hint),
  );
}
