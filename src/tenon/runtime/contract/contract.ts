import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isNode } from "../../core/document/node.js";
import { findDialect, VERSIONS } from "../../core/document/version.js";
import { buildContract, type Contract, type Operation, toOperationLabel } from "../../core/model/index.js";
import type { OperationDescriptor } from "./operation.js";

/**
 * Reads the contract that was generated beside `server.ts`.
 * @param generated The operations that the code was generated for.
 * @throws {Error} when it is missing or invalid, see {@link toContract}, or has other operations.
 */
export function readContract(url: URL, generated: readonly OperationDescriptor[]): Contract {
  const contract = loadContract(url);
  assertOperations(contract, generated);
  return contract;
}

/**
 * Reads a bundled contract.
 * @throws {Error} when it is missing or invalid, see {@link toContract}.
 */
export function loadContract(url: URL): Contract {
  let document: unknown;
  const path = fileURLToPath(url);
  try {
    document = JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new Error(`Cannot read the contract ${path}: ${(cause as Error).message}`, { cause });
  }
  return toContract(document, ` ${path}`);
}

/**
 * Builds the model of a document that is enforced. What it says is checked as far as it is needed, when it is needed: the
 * contract was linted when its code was generated.
 * @throws {Error} when it is not an OpenAPI document of a version that is read.
 */
export function toContract(document: unknown, name = ""): Contract {
  const node = isNode(document) ? document : {};
  const { info, paths = {}, components = {} } = node;
  if (findDialect(node) === undefined || ![info, paths, components].every(isNode))
    throw new Error(`The contract${name} is not an OpenAPI ${VERSIONS} document`);
  return buildContract(node);
}

/**
 * Checks that a contract has the operations that code was generated for, and no others.
 * @throws {Error} that names the first operation which only one of them has.
 */
function assertOperations({ operations }: Contract, generated: readonly OperationDescriptor[]): void {
  const toKey = ({ id, method, path }: Pick<Operation, "id" | "method" | "path">) =>
    `${id}: ${toOperationLabel({ method, path })}`;
  const inContract = new Set(operations.map(toKey));
  const inCode = new Set(generated.map(toKey));
  const lost = generated.map(toKey).find((key) => !inContract.has(key));
  if (lost !== undefined) throw new Error(`The contract has no operation ${lost}; ${GENERATE}`);
  const added = operations.map(toKey).find((key) => !inCode.has(key));
  if (added !== undefined)
    throw new Error(`The code was generated without the operation ${added}; ${GENERATE}`);
}

const GENERATE = 'run "npx tenon generate"';
