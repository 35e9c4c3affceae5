import type { Contract, Operation } from "../../core/model/index.js";
import { createEov } from "./eov.js";
import { createOperationValidators, type OperationValidator } from "./operation-validator.js";
import type { Formats } from "./side-validator.js";

export type { OperationValidator } from "./operation-validator.js";

/** Prepares a contract for enforcement by compiled validators, as {@link createOperationValidators} does. */
export function createValidatorCompiler(
  contract: Contract,
  formats?: Formats,
): (operation: Operation) => OperationValidator {
  return createOperationValidators(contract, createEov(formats));
}
