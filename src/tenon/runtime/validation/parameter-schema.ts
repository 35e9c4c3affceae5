import type { EnforcedParameter } from "./enforced-contract.js";
import type { OperationDescriptor } from "../operation.js";
import { toKey } from "../parameters/parameter-name.js";

/**
 * Builds the JSON Schema of an operation's parameter values, by {@link toKey}: `query/limit` is a name that no prototype has.
 * @throws when the contract lacks a parameter of the descriptor.
 */
export function buildParameterSchema(
  { id, parameters }: OperationDescriptor,
  declared: ReadonlyMap<string, EnforcedParameter>,
): object {
  const wanted = parameters.map((descriptor): [string, EnforcedParameter] => {
    const parameter = declared.get(toKey(descriptor));
    if (parameter !== undefined)
      return [
        toKey(descriptor),
        descriptor.opaque ? { ...parameter, schema: { type: "string" } } : parameter,
      ];
    const { name, in: place } = descriptor;
    throw new Error(`The contract has no ${place} parameter "${name}" of "${id}"; generate it anew`);
  });
  return {
    type: "object",
    properties: Object.fromEntries(wanted.map(([key, { schema }]) => [key, schema])),
    required: wanted.flatMap(([key, { required }]) => (required ? [key] : [])),
  };
}
