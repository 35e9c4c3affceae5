import { type Operation, toParameterKey } from "../../core/model/index.js";
import { createWireNames, findUndeclared, locateValue } from "./names.js";
import { readEach, throwProblems } from "./read-each.js";
import { createPlainParameterReader, type RawRequest, readParameter } from "./read-parameter.js";

/**
 * Reads an operation's parameters from a request.
 * @returns values by `toParameterKey`; absent parameters are left out.
 * @throws {HttpError} `invalid_parameter` or `malformed_request`, naming each parameter that cannot be read and each that is
 *   not declared.
 */
export type ParameterReader = (request: RawRequest) => Record<string, unknown>;

/** @param apiKeys Names in the query that carry credentials: they are not parameters, and known. */
export function createParameterReader(
  { parameters }: Pick<Operation, "parameters">,
  apiKeys: readonly string[],
): ParameterReader {
  const all = parameters.map((parameter) => ({
    parameter,
    key: toParameterKey(parameter),
    readPlain: createPlainParameterReader(parameter),
  }));
  const names = createWireNames(parameters.filter((parameter) => parameter.in === "query"));
  const credentials = new Set(apiKeys);

  return (request) => {
    const undeclared = findUndeclared(request.query, names, credentials);
    const { values, problems } = readEach(all, {
      read: ({ parameter, readPlain }) =>
        readPlain?.(request) ?? readParameter(parameter, request, undeclared),
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
