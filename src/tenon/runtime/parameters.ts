import { getDeepKeys } from "./deep-object.js";
import { HttpError } from "./http-error.js";
import type { OperationDescriptor, ParameterDescriptor } from "./operation.js";
import { nameValue, toKey } from "./parameter-name.js";
import { isObjectType } from "./plain-values.js";
import { type RawRequest, readParameter } from "./read-parameter.js";
import { isExplodedObject, type StyledValue, toStyledValue } from "./styled-value.js";
import { joinProblems } from "./validation-problems.js";
import { ValueProblem } from "./value-problem.js";

/**
 * Reads an operation's parameters from a request.
 * @returns values by {@link toKey}; absent parameters are left out.
 * @throws {HttpError} `invalid_parameter` or `malformed_request`, naming each parameter that cannot be read and each that
 *   nobody declares.
 */
export type ParameterReader = (request: RawRequest) => Record<string, unknown>;

interface Styled {
  readonly parameter: ParameterDescriptor;
  readonly value: StyledValue;
}

/** @param apiKeys Names in the query that carry credentials: they are nobody's parameters, and known. */
export function createParameterReader(
  { parameters }: Pick<OperationDescriptor, "parameters">,
  apiKeys: readonly string[],
): ParameterReader {
  const all = parameters.map((parameter): Styled => ({ parameter, value: toStyledValue(parameter) }));
  const inQuery = all.filter(({ parameter }) => parameter.in === "query");
  const declared = new Set([...apiKeys, ...inQuery.flatMap(toQueryNames)]);
  const deepObjects = inQuery.filter(({ value }) => value.style === "deepObject");
  const takesUndeclared = inQuery.some(hasUndeclared);
  const isDeclared = (name: string): boolean =>
    declared.has(name) || deepObjects.some(({ value }) => getDeepKeys(name, value.name) !== undefined);

  return (request) => {
    const undeclared = [...request.query.keys()].filter((name) => !isDeclared(name));
    const values = Object.create(null) as Record<string, unknown>;
    const problems: { readonly text: string; readonly code: ValueProblem["code"] }[] = [];
    for (const { parameter, value } of all) {
      try {
        const read = readParameter(parameter, value, { ...request, undeclared });
        if (read !== undefined) values[toKey(parameter)] = read;
      } catch (error) {
        if (!(error instanceof ValueProblem)) throw error;
        problems.push({ text: `${nameValue(parameter, error.path)} ${error.message}`, code: error.code });
      }
    }
    for (const name of takesUndeclared ? [] : undeclared)
      problems.push({ text: `Query parameter "${name}" is unknown`, code: "invalid_parameter" });
    const [first] = problems;
    if (first === undefined) return values;
    throw new HttpError(first.code, { message: joinProblems(problems.map(({ text }) => text)) });
  };
}

/** What a parameter is called in the query; a `deepObject` is known by its brackets. */
function toQueryNames({ parameter, value: { name, style, type } }: Styled): readonly string[] {
  if (isExplodedObject(parameter) && isObjectType(type)) return Object.keys(type.properties ?? {});
  return style === "deepObject" ? [] : [name];
}

/** Whether the parameter takes what nobody declares: an exploded object with additional properties. */
function hasUndeclared({ parameter, value: { type } }: Styled): boolean {
  return isExplodedObject(parameter) && isObjectType(type) && type.additionalProperties !== undefined;
}
