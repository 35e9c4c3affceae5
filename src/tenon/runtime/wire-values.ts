import { HttpError } from "./http-error.js";
import type { OperationDescriptor, ParameterDescriptor } from "./operation.js";
import type { WireRequest } from "./validator.js";

interface WireForm {
  readonly name: string;
  is(text: string): boolean;
}

/** How a typed value is written. The validator's own coercion also takes `0x10`, `1e1`, ` 5`, `Infinity` and rounds. */
const FORMS: Readonly<Record<"integer" | "number" | "boolean", WireForm>> = {
  integer: {
    name: `a decimal integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`,
    is: (text) => /^(0|-?[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text)),
  },
  number: {
    name: "a decimal number",
    is: (text) => /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text)),
  },
  boolean: { name: "true or false", is: (text) => text === "true" || text === "false" },
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
    const problem = values.map((value) => describe(value, type)).find((text) => text !== undefined);
    return problem === undefined ? [] : [`${NAMES[parameter.in]} "${parameter.name}" ${problem}`];
  });
  if (problems.length > 0) throw new HttpError("invalid_parameter", { message: problems.join("; ") });
}

function describe(value: string, type: ParameterDescriptor["type"]): string | undefined {
  if (value.includes("\0")) return "has a NUL character";
  if (type === "string" || type === "other" || FORMS[type].is(value)) return undefined;
  return `must be ${FORMS[type].name}`;
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
