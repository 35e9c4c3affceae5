import type { OperationDescriptor } from "../operation.js";
import { locateValue, toKey } from "./parameter-name.js";
import { type RawRequest, readParameter } from "./read-parameter.js";
import { createPlainParameterReader } from "./read-plain-parameter.js";
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
  const all = parameters.map((parameter) => {
    const value = toStyledValue(parameter);
    return {
      parameter,
      value,
      key: toKey(parameter),
      readPlain: createPlainParameterReader(parameter, value),
    };
  });
  const inQuery = all.filter(({ parameter }) => parameter.in === "query");
  const names = createStyledNames(inQuery.map(({ value }) => value));
  const credentials = new Set(apiKeys);

  return (request) => {
    const undeclared = findUndeclared(request.query, names, credentials);
    const { values, problems } = readEach(all, {
      read: ({ parameter, value, readPlain }) =>
        readPlain?.(request) ?? readParameter(parameter, value, request, undeclared),
      toKey: ({ key }) => key,
      locate: ({ parameter }, path) => locateValue(parameter, path),
    });
    if (problems.length + undeclared.length === 0) return values;
    const unknown = (names.takesUndeclared ? [] : undeclared).map((name) => ({
      in: "query" as const,
      path: [name],
      subject: `Query parameter "${name}"`,
      text: "is unknown",
      isMalformed: false,
    }));
    throwProblems([...problems, ...unknown]);
    return values;
  };
}
