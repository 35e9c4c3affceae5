import type { Contract, Operation } from "tenon/core/model";
import { isCostly } from "../patterns/index.js";
import { checkBody, checkContentType, checkUndeclared } from "./checks/body.js";
import { checkHeaders } from "./checks/headers.js";
import { checkStatus } from "./checks/status.js";
import type { ServiceResponse } from "./messages/index.js";
import { createValidator } from "./validator.js";
import { listResponseSchemas } from "./verify.js";

/**
 * Creates a function that compares responses with what the contract declares, and lists the mismatches.
 */
export function createResponseCheck({
  registry,
}: Contract): (operation: Operation, response: ServiceResponse) => Promise<readonly string[]> {
  const responses = createValidator({ registry, side: "response", skipsPattern: isCostly });
  const prepared = new Map<Operation, Promise<void>>();
  const prepare = (operation: Operation) => {
    const found = prepared.get(operation);
    if (found !== undefined) return found;
    const added = responses.prepare(listResponseSchemas(operation));
    prepared.set(operation, added);
    return added;
  };
  const checks = [checkStatus, checkContentType, checkBody, checkUndeclared, checkHeaders];
  return async (operation, response) => {
    await prepare(operation);
    return checks.flatMap((check) =>
      check({ testCase: { operation }, response }, { responses }).map(({ message }) => message),
    );
  };
}
