import type { Node } from "tenon/core/document";
import { buildContract, type Contract, type Operation, type Server } from "tenon/core/model";
import { buildShape, type RequestShape } from "../../verify/messages/index.js";
import { toOperationId } from "../render/ids.js";

/** The data of the console, which its pages load as a script. */
export interface ConsoleData {
  readonly contract: Node;
  readonly service?: string | undefined;
  /** Origins that the pages may call besides their own. */
  readonly origins: readonly string[];
}

/** An operation with everything that is needed to call it. */
export interface Callable {
  readonly contract: Contract;
  readonly operation: Operation;
  /** The shape of a request whose body cannot be validated. */
  readonly bodiless: RequestShape;
  /** Servers of the operation, its path item or the contract. */
  readonly servers: readonly Server[];
  /** Parts of the contract's request that cannot be read: they are not validated. */
  readonly problems: readonly string[];
  /** Reads the responses, which may refer to a large part of the contract, and returns the parts that cannot be read. */
  readonly readResponses: () => readonly string[];
}

/**
 * Reads the operations of a contract when they are opened, by the ids of their places: `operation/listPets`.
 * @param document Bundled.
 * @returns a function that returns undefined for an unknown place.
 */
export function createCallables(document: Node): (place: string) => Callable | undefined {
  let problems = new Set<string>();
  const contract = buildContract(document, {
    report: (_, pointer, message) => problems.add(`${message} (${pointer})`),
    reportSchemas: false,
  });
  /** The model is read part by part, and reports what it cannot read. */
  const listProblems = (read: () => unknown): readonly string[] => {
    problems = new Set();
    read();
    return [...problems];
  };
  const operations = new Map(contract.operations.map((operation) => [toOperationId(operation), operation]));
  return (place) => {
    const operation = operations.get(place);
    if (operation === undefined) return undefined;
    const [servers = []] = [operation, operation.pathItem, contract]
      .map((owner) => owner.servers)
      .filter((declared) => declared.length > 0);
    let unreadable: readonly string[] | undefined;
    return {
      contract,
      operation,
      problems: listProblems(() => [operation.parameters, operation.requestBody]),
      bodiless: buildShape({ ...operation, requestBody: undefined }),
      servers,
      readResponses: () => (unreadable ??= listProblems(() => operation.responses)),
    };
  };
}
