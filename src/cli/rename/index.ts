import { readFileSync } from "node:fs";
import { join } from "node:path";
import { joinPointer } from "tenon/core/document";
import { isIdentifier, type Operation, toOperationLabel } from "tenon/core/model";
import { emitApi } from "../generator/index.js";
import { UsageError } from "../output/context.js";
import { toHint } from "../output/nearest.js";
import {
  type ApiConfig,
  chooseApis,
  type FileChange,
  findTsconfig,
  type LoadedModel,
  loadModel,
  planChanges,
} from "../project/index.js";
import { type CodeEdits, findCodeEdits } from "./code-edits.js";
import { findRemaining, type RemainingPlace } from "./remaining.js";
import { findContractEdits, findLinkEdits, type Names } from "./contract-edits.js";
import { applyEdits, type EditedFile } from "../project/index.js";

export interface RenameOptions extends Names {
  /** Every API of the project. */
  readonly apis: readonly ApiConfig[];
  /** Name of the API with the operation. Default: the only one that has it. */
  readonly api?: string | undefined;
  readonly cwd: string;
}

export interface RenamePlan {
  /** Files of the contract and of the code. */
  readonly edited: readonly EditedFile[];
  readonly generated: readonly FileChange[];
  /** Type errors that the changed code has with the new name. */
  readonly errors: CodeEdits["errors"];
  /** Lines that still have the old name. */
  readonly remaining: readonly RemainingPlace[];
}

interface LoadedApi {
  readonly api: ApiConfig;
  readonly loaded: LoadedModel;
}

/** An API that contains the operation. */
interface FoundOperation extends LoadedApi {
  readonly operation: Operation;
}

/**
 * Plans the rename of an operation in the contract and the code. If the contract already has the new name, only the code changes.
 * Nothing is written.
 * @throws {UsageError} for an unknown operation, and for a new name that is taken or invalid.
 * @throws {ContractError} when a contract has errors, before or after the rename.
 */
export async function planRename(options: RenameOptions): Promise<RenamePlan> {
  const { from, to, apis, cwd } = options;
  if (!isIdentifier(to))
    throw new UsageError(`${JSON.stringify(to)} is not an identifier. Choose a name such as getPet.`);
  const all: LoadedApi[] = [];
  for (const api of apis) all.push({ api, loaded: await loadModel(api) });

  const toPlan = async (edited: readonly EditedFile[], { code, generated }: EditedCode) => {
    const outputs = apis.map(({ output }) => output);
    return {
      edited,
      generated,
      errors: code.errors,
      remaining: await findRemaining({ from, edited, outputs, cwd }),
    };
  };
  const found = findOperation(all, from, options);
  if (found.length > 0) {
    assertFree(found, to);
    const contract = editContracts(found, { from, to, cwd });
    const changed = await editCode(found, { after: contract, from, cwd });
    return toPlan([...contract.values(), ...changed.code.files.values()], changed);
  }
  // The contract was edited by hand: the code still has the old names.
  const renamed = findOperation(all, to, options);
  const before = editContracts(renamed, { from: to, to: from, cwd });
  const changed = await editCode(renamed, { before, from, cwd });
  if (changed.code.files.size === 0) throw createUnknownError(all, options);
  return toPlan([...changed.code.files.values()], changed);
}

/** Finds the APIs with an operation. Several have it if they share a file. */
function findOperation(
  all: readonly LoadedApi[],
  id: string,
  { apis, api: name }: Pick<RenameOptions, "apis" | "api">,
): readonly FoundOperation[] {
  const chosen = chooseApis(apis, name === undefined ? [] : [name]);
  const found = all.flatMap((one) => {
    const operation = one.loaded.contract.operations.find((other) => other.id === id);
    return operation === undefined ? [] : [{ ...one, operation }];
  });
  const toPlace = ({ loaded, operation }: FoundOperation) => {
    const { file, line, column } = loaded.locate(joinPointer(operation.pointer, "operationId"));
    return `${file}:${line}:${column}`;
  };
  const [first, ...others] = found.filter(({ api }) => chosen.includes(api));
  if (first === undefined) return [];
  if (!first.operation.hasId)
    throw new UsageError(
      `${toOperationLabel(first.operation)} has no operationId; ${id} is derived from its method and path. Add an operationId to it.`,
    );
  if (others.some((other) => toPlace(other) !== toPlace(first)))
    throw new UsageError(
      `Several APIs have an operation ${id}: ${[first, ...others].map(({ api }) => api.name).join(", ")}. Choose one with --api.`,
    );
  return found.filter((other) => toPlace(other) === toPlace(first));
}

/** @throws {UsageError} if an API already has an operation or a webhook of the name. */
function assertFree(found: readonly FoundOperation[], to: string): void {
  for (const { loaded } of found) {
    const { operations, webhooks } = loaded.contract;
    const outgoing = [...webhooks, ...operations.flatMap(({ callbacks }) => callbacks)];
    const taken = operations.find(({ id }) => id === to);
    if (taken !== undefined)
      throw new UsageError(`${to} is the name of ${toOperationLabel(taken)}. Choose another one.`);
    if (outgoing.some(({ operationId }) => operationId === to))
      throw new UsageError(`${to} is the operationId of a webhook or callback. Choose another one.`);
  }
}

function createUnknownError(all: readonly LoadedApi[], { from, api: name }: RenameOptions): UsageError {
  const known = all
    .filter(({ api }) => name === undefined || api.name === name)
    .flatMap(({ loaded }) => loaded.contract.operations.map(({ id }) => id));
  const { hint } = toHint(from, known);
  return new UsageError(`Unknown operation ${JSON.stringify(from)}.${hint === undefined ? "" : ` ${hint}`}`);
}

type Edited = ReadonlyMap<string, EditedFile>;

interface EditedCode {
  readonly code: CodeEdits;
  readonly generated: readonly FileChange[];
}

function editContracts(found: readonly FoundOperation[], names: Names & { readonly cwd: string }): Edited {
  const edits = found.flatMap(({ loaded, operation: { pointer } }) => [
    ...findContractEdits({ ...loaded, pointer, cwd: names.cwd }, names),
    ...findLinkEdits(loaded.files, names),
  ]);
  return applyEdits(edits, readText);
}

/** @param options.before The contracts' files before the rename, and those after it; empty if they are on disk. */
async function editCode(
  found: readonly FoundOperation[],
  {
    before,
    after,
    from,
    cwd,
  }: { readonly before?: Edited; readonly after?: Edited; readonly from: string; readonly cwd: string },
): Promise<EditedCode> {
  const generated: FileChange[] = [];
  const sides = { from, before: new Map<string, string>(), after: new Map<string, string>() };
  const emit = async (api: ApiConfig, edited: Edited | undefined, lint: boolean) => {
    const read = (path: string) => Promise.resolve(edited?.get(path)?.after ?? readText(path));
    return (await emitApi(api, cwd, { read, lint })).files;
  };
  for (const { api } of found) {
    for (const [name, text] of await emit(api, before, false)) sides.before.set(join(api.output, name), text);
    const files = await emit(api, after, after !== undefined);
    for (const [name, text] of files) sides.after.set(join(api.output, name), text);
    generated.push(...(await planChanges(api.output, files)).changes);
  }
  const configs = new Set(found.flatMap(({ api }) => findTsconfig(api, cwd) ?? []));
  const parts = [...configs].map((configFile) => findCodeEdits(configFile, sides));
  return {
    code: {
      files: new Map(parts.flatMap(({ files }) => [...files])),
      errors: parts.flatMap(({ errors }) => errors),
    },
    generated,
  };
}

function readText(path: string): string {
  return readFileSync(path, "utf8");
}
