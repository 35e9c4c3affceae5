import type { EnforcedParameter } from "./enforced-contract.js";
import type { OperationDescriptor } from "./operation.js";
import { nameValue, toKey } from "./parameter-name.js";
import { buildParameterSchema } from "./parameter-schema.js";
import { type CompileSchema, type SchemaProblem, toMessage, withoutConditions } from "./schema-problem.js";
import type { ValidationProblem } from "./validation-problems.js";

/** Puts defaults into parameter values, which go by `toKey`, and validates them; nothing is coerced. */
export type ParameterValidator = (values: Record<string, unknown>) => readonly ValidationProblem[];

export function compileParameters(
  operation: OperationDescriptor,
  declared: ReadonlyMap<string, EnforcedParameter>,
  compile: CompileSchema,
): ParameterValidator {
  const validate = compile(buildParameterSchema(operation, declared));
  const byKey = new Map(operation.parameters.map((parameter) => [toKey(parameter), parameter]));
  return (values) => {
    if (validate(values) === true) return [];
    return withoutConditions(validate.errors ?? [], ({ keyword }) => keyword).map((problem) => {
      const [key = "", ...inner] = toPath(problem);
      const parameter = byKey.get(key);
      return {
        path: problem.instancePath,
        ...(parameter !== undefined && { parameter: nameValue(parameter, inner) }),
        message: toMessage(problem),
        errorCode: `${problem.keyword}.openapi.validation`,
      };
    });
  };
}

/** Where the problem is, down to the property that is missing or should not be there. */
function toPath({ instancePath, params }: SchemaProblem): readonly string[] {
  const parts = instancePath.split("/").slice(1);
  const last = params["missingProperty"] ?? params["additionalProperty"] ?? params["unevaluatedProperty"];
  return [
    ...parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~")),
    ...(typeof last === "string" ? [last] : []),
  ];
}
