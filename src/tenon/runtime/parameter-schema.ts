import { dereference, type ContractDocument, type OperationObject } from "./contract-document.js";
import type { OperationDescriptor } from "./operation.js";
import { toKey } from "./parameter-name.js";

interface ParameterObject {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly required?: boolean;
  readonly schema?: object;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

/**
 * Builds the JSON Schema of an operation's parameter values, by {@link toKey}: `query/limit` is a name that no prototype has.
 * @throws when the document lacks a parameter of the descriptor.
 */
export function buildParameterSchema(
  document: ContractDocument,
  { id, path, parameters }: OperationDescriptor,
  operation: OperationObject,
): object {
  // The operation's parameters come last: they replace the path item's.
  const declared = new Map(
    [document.paths?.[path]?.["parameters"], operation.parameters].flatMap((list) =>
      ((list ?? []) as readonly unknown[]).map((reference): [string, ParameterObject] => {
        const parameter = dereference(document, reference) as ParameterObject;
        return [toKey(parameter), parameter];
      }),
    ),
  );
  const wanted = parameters.map((descriptor): [string, ParameterObject] => {
    const parameter = declared.get(toKey(descriptor));
    if (parameter !== undefined) return [toKey(descriptor), parameter];
    const { name, in: place } = descriptor;
    throw new Error(`The contract has no ${place} parameter "${name}" of "${id}"; generate it anew`);
  });
  return {
    type: "object",
    properties: Object.fromEntries(wanted.map(([key, parameter]) => [key, toSchema(document, parameter)])),
    required: wanted.flatMap(([key, { required }]) => (required === true ? [key] : [])),
    // References in the parameters' schemas are resolved from here.
    paths: document.paths,
    components: document.components,
  };
}

function toSchema(document: ContractDocument, { schema, content = {} }: ParameterObject): object {
  const declared = schema ?? Object.values(content)[0]?.schema ?? {};
  if ("default" in declared) return declared;
  // The validator applies defaults that stand here, and a parameter's counts behind a reference too.
  const target = dereference(document, declared) as { readonly default?: unknown };
  return target.default === undefined ? declared : { ...declared, default: target.default };
}
