import type { EnforcedParameter } from "./enforced-contract.js";
import type { CompileCheck } from "./eov.js";
import type { OperationDescriptor } from "../operation.js";
import { locateValue, toKey } from "../parameters/parameter-name.js";
import { buildParameterSchema } from "./parameter-schema.js";
import type { ValidationProblem } from "./validation-problems.js";

/** Puts defaults into parameter values, which go by `toKey`, and validates them; nothing is coerced. */
export type ParameterValidator = (values: Record<string, unknown>) => readonly ValidationProblem[];

export function compileParameters(
  operation: OperationDescriptor,
  declared: ReadonlyMap<string, EnforcedParameter>,
  compile: CompileCheck,
): ParameterValidator {
  const check = compile(buildParameterSchema(operation, declared));
  const byKey = new Map(operation.parameters.map((parameter) => [toKey(parameter), parameter]));
  return (values) =>
    check(values).flatMap(({ path: [key = "", ...inner], text }) => {
      const parameter = byKey.get(key);
      return parameter === undefined ? [] : [{ ...locateValue(parameter, inner), text }];
    });
}
