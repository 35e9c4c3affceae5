import type { Lifecycle, Node } from "tenon/core/document";
import type { HttpMethod } from "tenon/core/http";
import { buildContract, type Contract, type Operation } from "tenon/core/model";
import { buildShape, type RequestShape } from "../../verify/messages/index.js";
import { type ServerChoice, toServerChoice } from "./addresses.js";

/** An operation as the list shows it. */
export interface Entry {
  readonly id: string;
  readonly method: HttpMethod;
  readonly path: string;
  readonly summary: string;
  /** Display names. */
  readonly tags: readonly string[];
  /** Absent: stable and not deprecated. */
  readonly lifecycle?: Lifecycle;
}

/** An operation with everything that is needed to call it. */
export interface Callable {
  readonly entry: Entry;
  readonly contract: Contract;
  readonly operation: Operation;
  /** The shape of a request whose body cannot be validated. */
  readonly bodiless: RequestShape;
  /** Servers of the operation, its path item or the contract. */
  readonly servers: readonly ServerChoice[];
  /** Parts of the contract's request that cannot be read: they are not validated. */
  readonly problems: readonly string[];
  /** Reads the responses, which may refer to a large part of the contract, and returns the parts that cannot be read. */
  readonly readResponses: () => readonly string[];
}

/**
 * Lists the operations of a contract, and reads those that are opened.
 * @param document Bundled.
 */
export function createCallables(document: Node) {
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
  const names = new Map(contract.tags.map(({ name, displayName }) => [name, displayName]));
  const operations = new Map(contract.operations.map((operation) => [toEntry(operation, names), operation]));
  const opened = new Map<Entry, Callable>();
  return {
    entries: [...operations.keys()],
    open(entry: Entry): Callable | undefined {
      const operation = operations.get(entry);
      const known = opened.get(entry);
      if (operation === undefined || known !== undefined) return known;
      const [servers = []] = [operation, operation.pathItem, contract]
        .map((owner) => owner.servers)
        .filter((declared) => declared.length > 0);
      let unreadable: readonly string[] | undefined;
      const callable = {
        entry,
        contract,
        operation,
        problems: listProblems(() => [operation.parameters, operation.requestBody]),
        bodiless: buildShape({ ...operation, requestBody: undefined }),
        servers: servers.map(toServerChoice),
        readResponses: () => (unreadable ??= listProblems(() => operation.responses)),
      };
      opened.set(entry, callable);
      return callable;
    },
  };
}

function toEntry(operation: Operation, names: ReadonlyMap<string, string | undefined>): Entry {
  const { id, method, path, summary = "", tags, lifecycle } = operation;
  const shown = tags.map((tag) => names.get(tag) ?? tag);
  return { id, method, path, summary, tags: shown, ...(lifecycle && { lifecycle }) };
}
