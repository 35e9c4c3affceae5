import { HttpError } from "./http-error.js";
import type { OperationDescriptor, ParameterDescriptor } from "./operation.js";
import type { WireRequest } from "./validator.js";

interface WireForm {
  /** Completes `must be …`. */
  readonly name: string;
  readonly pattern: RegExp;
  /** Whether a number is kept exactly. */
  readonly keeps: (value: number) => boolean;
  /** Completes `must be …` for a number that is not kept. */
  readonly range?: string;
}

/** How a typed value is written. The validator's own coercion also takes `0x10`, `1e1`, ` 5`, `Infinity` and rounds. */
const FORMS: Readonly<Record<"integer" | "number" | "boolean", WireForm>> = {
  integer: {
    name: "an integer in plain decimal digits",
    pattern: /^(0|-?[1-9]\d*)$/,
    keeps: Number.isSafeInteger,
    range: `from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`,
  },
  number: {
    name: "a decimal number",
    pattern: /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i,
    keeps: Number.isFinite,
    range: "a number that a double can hold",
  },
  boolean: { name: "true or false", pattern: /^(true|false)$/, keeps: () => true },
};

const NAMES = {
  path: "Path parameter",
  query: "Query parameter",
  header: "Header",
  cookie: "Cookie",
} as const;

/**
 * Refuses parameters that the validator would turn into another value than the one written.
 * @throws {HttpError} `invalid_parameter`, naming each.
 */
export function assertWireValues({ parameters }: OperationDescriptor, request: WireRequest): void {
  const problems = parameters.flatMap((parameter) => {
    const { type } = parameter;
    const values = wireValues(parameter, request);
    const problem = values.map((value) => findWireProblem(value, type)).find((text) => text !== undefined);
    return problem === undefined ? [] : [`${NAMES[parameter.in]} "${parameter.name}" ${problem}`];
  });
  if (problems.length > 0) throw new HttpError("invalid_parameter", { message: problems.join("; ") });
}

/** What is wrong with a value as it was written; completes `Query parameter "limit" …`. */
export function findWireProblem(value: string, type: ParameterDescriptor["type"]): string | undefined {
  if (value.includes("\0")) return "has a NUL character";
  if (type === "string" || type === "other") return undefined;
  const { name, pattern, keeps, range = name } = FORMS[type];
  if (!pattern.test(value)) return `must be ${name}`;
  return keeps(Number(value)) ? undefined : `must be ${range}`;
}

function wireValues(parameter: ParameterDescriptor, request: WireRequest): string[] {
  const value = {
    path: request.path[parameter.name],
    query: request.query[parameter.name],
    header: request.headers[parameter.name.toLowerCase()],
    cookie: request.cookies[parameter.name],
  }[parameter.in];
  if (value === undefined) return [];
  const values = typeof value === "string" ? [value] : value;
  // Arrays are delimited by their style: form and simple by commas, the others by spaces or pipes.
  return parameter.array === true && parameter.type !== "string"
    ? values.flatMap((text) => text.split(/[,| ]/))
    : values;
}
