import {
  evaluateTemplate,
  type Exchange as ExpressionValues,
  findMediaType,
  toMediaKind,
} from "tenon/core/http";
import type { MediaType, OutgoingOperation, Parameter } from "tenon/core/model";
import { flatten } from "../../values/index.js";
import { type Exchange, findInvalidText, findUndeclared, findWholeSchema } from "../checks/index.js";
import { getHeader, readJson, toBodyText, toContentType, toJson } from "../messages/index.js";
import type { Validator } from "../validator.js";
import type { ReceivedRequest } from "./receiver.js";

/** A problem of a callback. */
export interface CallbackProblem {
  /** Completes `POST /0/shipped, a callback of createOrder: …`. */
  readonly message: string;
  /** Identifies the cause. */
  readonly detail: string;
}

/**
 * Checks a request that arrived at the address of some callbacks.
 * @param callbacks Those whose URL begins with the address.
 * @param exchange The request that had the address, and its response.
 * @returns the callbacks that it may be; and the problem that it has as any of them.
 */
export function checkCallback(
  request: ReceivedRequest,
  callbacks: readonly OutgoingOperation[],
  { exchange, validator }: { readonly exchange: Exchange; readonly validator: Validator },
): { readonly callbacks: readonly OutgoingOperation[]; readonly problem?: CallbackProblem } {
  const values = toExpressionValues(exchange);
  const toTarget = ({ outgoing: { expression = "" } }: OutgoingOperation) =>
    evaluateTemplate(expression, values);
  const addressed = callbacks.filter((callback) => isBelow(request.path, toTarget(callback)));
  if (addressed.length === 0) {
    const targets = unique(callbacks.map(toTarget).map((url) => toPath(url ?? "")));
    // A single callback is the one that is meant.
    return toProblem(
      callbacks.length === 1 ? callbacks : [],
      `the contract declares ${targets.join(" or ")}`,
      "target",
    );
  }
  const named = addressed.filter(({ method }) => method.toUpperCase() === request.method);
  if (named.length === 0) {
    const methods = unique(addressed.map(({ method }) => method.toUpperCase()));
    return toProblem(addressed, `the contract declares ${methods.join(" or ")}`, "method");
  }
  const problems = named.map((callback) => findProblem(request, callback, validator));
  const [problem] = problems;
  return { callbacks: named, ...(problem && !problems.includes(undefined) && { problem }) };
}

const toProblem = (callbacks: readonly OutgoingOperation[], message: string, detail: string) => ({
  callbacks,
  problem: { message, detail },
});

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

/** Resolves the values of runtime expressions. */
function toExpressionValues({ testCase: { value, operation }, response }: Exchange): ExpressionValues {
  const { path = {}, query = {}, header = {}, body } = value;
  return {
    method: operation.method.toUpperCase(),
    statusCode: response.status,
    request: { path, query, headers: header, body },
    response: { headers: response.headers, body: toJson(response) },
  };
}

/** Tests whether a request goes to the URL of a callback. The callback's own query parameters may follow. */
function isBelow(path: string, target: string | undefined): boolean {
  // The URL has a value that cannot be found, for example one of `$url`.
  if (target === undefined || !URL.canParse(target)) return true;
  const [found, wanted] = [new URL(path, target), new URL(target)];
  return (
    found.pathname === wanted.pathname &&
    [...wanted.searchParams].every(([name, text]) => found.searchParams.getAll(name).includes(text))
  );
}

function toPath(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname + new URL(url).search : url;
}

function findProblem(
  request: ReceivedRequest,
  callback: OutgoingOperation,
  validator: Validator,
): CallbackProblem | undefined {
  for (const parameter of callback.parameters) {
    const problem = findParameterProblem(request, parameter, validator);
    if (problem !== undefined) return problem;
  }
  return findBodyProblem(request, callback, validator);
}

function findParameterProblem(
  request: ReceivedRequest,
  parameter: Parameter,
  validator: Validator,
): CallbackProblem | undefined {
  const { in: location, name, required, opaque } = parameter;
  // The name of an object may not be in a query.
  const isObject = flatten(parameter.schema, validator).type?.includes("object") === true;
  if ((location !== "header" && location !== "query") || (location === "query" && isObject)) return undefined;
  const { searchParams } = new URL(request.path, "http://receiver");
  const text =
    location === "header"
      ? getHeader(request, name)
      : searchParams.has(name)
        ? searchParams.getAll(name).join(",")
        : undefined;
  const what = location === "header" ? `the header ${name}` : `the query parameter ${name}`;
  if (text === undefined)
    return required ? { message: `${what} is missing`, detail: `${location} ${name}` } : undefined;
  const violation = opaque === true ? undefined : findInvalidText(text, parameter, validator);
  return (
    violation && { message: `${what} is not valid: ${violation.message}`, detail: `${location} ${name}` }
  );
}

function findBodyProblem(
  request: ReceivedRequest,
  { requestBody }: OutgoingOperation,
  validator: Validator,
): CallbackProblem | undefined {
  const isEmpty = request.body.length === 0;
  if (requestBody === undefined)
    return isEmpty ? undefined : { message: "it has a body, and the contract declares none", detail: "body" };
  if (isEmpty)
    return requestBody.required
      ? { message: "it has no body, which the contract requires", detail: "body" }
      : undefined;
  const { mediaTypes } = requestBody;
  const contentType = toContentType(request);
  const mediaType = contentType === undefined ? undefined : findMediaType(mediaTypes, contentType);
  if (contentType === undefined || mediaType === undefined) {
    const declared = mediaTypes.map(({ name }) => name).join(", ");
    return {
      message: `its Content-Type is ${contentType ?? "missing"}; the contract declares ${declared}`,
      detail: "Content-Type",
    };
  }
  return findValueProblem(request, { mediaType, contentType }, validator);
}

/** Only JSON and text are read. */
function findValueProblem(
  request: ReceivedRequest,
  { mediaType, contentType }: { readonly mediaType: MediaType; readonly contentType: string },
  validator: Validator,
): CallbackProblem | undefined {
  const schema = findWholeSchema(mediaType);
  const kind = toMediaKind(contentType);
  if (schema === undefined || mediaType.items !== undefined || (kind !== "json" && kind !== "text"))
    return undefined;
  const text = toBodyText(request);
  const { value, problem } = kind === "json" ? readJson(text) : { value: text };
  if (problem !== undefined) return { message: `the body ${problem}`, detail: problem };
  const violation = validator.find(schema, value);
  if (violation !== undefined)
    return { message: `the body is not valid: ${violation.message}`, detail: violation.cause };
  const [undeclared] = findUndeclared(schema, value, validator);
  if (undeclared === undefined) return undefined;
  const names = undeclared.names.map((name) => JSON.stringify(name)).join(", ");
  const message = `the body has ${names}${undeclared.at && ` at ${undeclared.at}`}, which its schema does not declare`;
  return { message, detail: `undeclared ${undeclared.pointer}` };
}
