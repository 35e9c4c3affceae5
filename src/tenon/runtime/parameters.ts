import type { OperationDescriptor } from "./operation.js";
import { nameValue, toKey } from "./parameter-name.js";
import { type RawRequest, readParameter } from "./read-parameter.js";
import { readEach, throwProblems } from "./read-each.js";
import { createStyledNames, findUndeclared } from "./styled-names.js";
import { toStyledValue } from "./styled-value.js";

/**
 * Reads an operation's parameters from a request.
 * @returns values by {@link toKey}; absent parameters are left out.
 * @throws {HttpError} `invalid_parameter` or `malformed_request`, naming each parameter that cannot be read and each that
 *   nobody declares.
 */
export type ParameterReader = (request: RawRequest) => Record<string, unknown>;

/** @param apiKeys Names in the query that carry credentials: they are nobody's parameters, and known. */
export function createParameterReader(
  { parameters }: Pick<OperationDescriptor, "parameters">,
  apiKeys: readonly string[],
): ParameterReader {
  const all = parameters.map((parameter) => ({ parameter, value: toStyledValue(parameter) }));
  const inQuery = all.filter(({ parameter }) => parameter.in === "query");
  const names = createStyledNames(inQuery.map(({ value }) => value));
  const credentials = new Set(apiKeys);

  return (request) => {
    const undeclared = findUndeclared(request.query, names).filter((name) => !credentials.has(name));
    const { values, problems } = readEach(all, {
      read: ({ parameter, value }) => readParameter(parameter, value, { ...request, undeclared }),
      toKey: ({ parameter }) => toKey(parameter),
      toName: ({ parameter }, path) => nameValue(parameter, path),
    });
    const unknown = (names.takesUndeclared ? [] : undeclared).map((name) => ({
      text: `Query parameter "${name}" is unknown`,
      isMalformed: false,
    }));
    throwProblems([...problems, ...unknown], "invalid_parameter");
    return values;
  };
}
