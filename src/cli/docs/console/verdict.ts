import { parsePointer } from "tenon/core/document";
import { findResponse, toMediaKind } from "tenon/core/http";
import type { Operation, ResponseHeader } from "tenon/core/model";
import type { Schema } from "tenon/core/schema";
import {
  checkBody,
  type CheckContext,
  createValidator,
  type DescribedBody,
  findWholeSchema,
  readBody,
  RESPONSE_CHECKS,
  type Validator,
} from "../../verify/checks/index.js";
import { listShapes, type ServiceResponse, type TestCase } from "../../verify/messages/index.js";
import { toFirstParagraph } from "../texts/markdown.js";
import { type Call, INEXACT, type Mistake } from "./call.js";
import type { Callable } from "./callable.js";

/** Validates the calls of one operation against its contract. */
export type Verdicts = Awaited<ReturnType<typeof createVerdicts>>;

export interface RequestVerdict {
  readonly mistakes: readonly Mistake[];
  /** Parts that are not validated, and why. */
  readonly notes: readonly string[];
}

/** A response as far as a page may see it. */
export interface VisibleResponse extends ServiceResponse {
  /** From the page's own origin: nothing is hidden but cookies. */
  readonly isOwnOrigin: boolean;
}

export interface ResponseVerdict {
  /** The contract's description of the status; undefined when it does not declare it. */
  readonly meaning: string | undefined;
  readonly violations: readonly Violation[];
  /** Parts that are as declared: `the status`. */
  readonly valid: readonly string[];
  readonly notes: readonly string[];
}

export interface Violation {
  readonly message: string;
  /** JSON pointer into the body. */
  readonly at?: string;
}

/** Longer lists say nothing new. */
const MAX_LISTED = 25;

/** Compiles the schemas of requests before the promise is fulfilled, those of responses when there is one. */
export async function createVerdicts(callable: Callable) {
  const { operation, bodiless } = callable;
  const { registry, basePath } = callable.contract;
  const requests = createValidator({ registry, side: "request" });
  const responses = createValidator({ registry, side: "response" });
  await requests.prepare([bodiless, ...listShapes(operation)].map(({ schema }) => schema));
  return {
    request: (call: Call) => validateRequest(call, callable, requests),
    async response(
      { parts, validated: { value } }: Call,
      verdict: RequestVerdict,
      response: VisibleResponse,
    ): Promise<ResponseVerdict> {
      const problems = callable.readResponses();
      await responses.prepare(listSchemas(operation));
      const testCase = { ...parts, value, phase: "examples", ...toExpectation(verdict) } as const;
      const context = { basePath, requests, responses, isPredictable: () => false };
      const { notes, ...found } = validateResponse(testCase, response, context);
      return { ...found, notes: [...notes, ...problems] };
    },
    close: () => {
      requests.close();
      responses.close();
    },
  };
}

function listSchemas({ responses }: Operation): readonly Schema[] {
  return responses.flatMap(({ mediaTypes, headers }) => [
    ...mediaTypes.flatMap((mediaType) => findWholeSchema(mediaType) ?? []),
    ...headers.map(({ schema }) => schema),
  ]);
}

function validateRequest(call: Call, callable: Callable, requests: Validator): RequestVerdict {
  const { shape, value } = call.validated;
  const kind = toMediaKind(shape.mediaType?.name ?? "");
  const known = new Set(call.mistakes.map(({ key }) => key));
  const found = requests.list(shape.schema, value).flatMap(({ at, keyword, message }) => {
    const [place = "", name = ""] = parsePointer(at);
    // A missing parameter or body is listed already.
    if (keyword === "required" && name === "" && place !== "body") return [];
    const isField = place === "body" && name !== "" && (kind === "form" || kind === "multipart");
    const key = isField ? `form/${name}` : place === "body" ? "body" : `${place}/${name}`;
    return known.has(key) ? [] : [{ key, message, keyword }];
  });
  return {
    mistakes: [...call.mistakes, ...found].slice(0, MAX_LISTED),
    notes: [...(call.unvalidated === undefined ? [] : [call.unvalidated]), ...callable.problems],
  };
}

function validateResponse(
  testCase: TestCase,
  response: VisibleResponse,
  context: CheckContext,
): ResponseVerdict {
  const { status } = response;
  const { hidden, operation } = toVisible(testCase.operation, response);
  const exchange = { testCase: { ...testCase, operation }, response };
  const others = RESPONSE_CHECKS.filter((check) => check !== checkBody);
  const findings = others.flatMap((check) => check(exchange, context).map(({ message }) => ({ message })));
  const body = readBody(exchange);
  const inBody = body === undefined ? [] : listBodyViolations(body, status, context.responses);
  const declared = findResponse(operation.responses, status);
  const isUndescribed = body === undefined && response.body.length > 0;
  return {
    violations: [...findings, ...inBody].slice(0, MAX_LISTED),
    valid: [
      ...(declared === undefined ? [] : ["the status"]),
      ...(declared?.mediaTypes.length ? ["the media type"] : []),
      ...(body === undefined ? [] : ["the body"]),
      ...(declared?.headers.length ? ["the headers"] : []),
    ],
    notes: [
      ...(isUndescribed ? ["the contract has no schema for the body"] : []),
      ...(hidden.length === 0 ? [] : [`${hidden.join(", ")}: ${HIDDEN}`]),
    ],
    meaning: declared && toFirstParagraph(declared.description ?? ""),
  };
}

const HIDDEN = "absent, or hidden from pages (Access-Control-Expose-Headers does not name it)";

function listBodyViolations(
  { schema, value, problem }: DescribedBody,
  status: number,
  responses: Validator,
): readonly Violation[] {
  if (problem !== undefined) return [{ message: `The body of ${status} ${problem}` }];
  return responses
    .list(schema, value)
    .map(({ at, message }) => ({ at, message: `The body of ${status} is not valid: ${message}` }));
}

/** Leaves out the headers that the browser keeps from the page, which cannot be reported as missing. */
function toVisible(operation: Operation, { status, headers, isOwnOrigin }: VisibleResponse) {
  const response = findResponse(operation.responses, status);
  if (response === undefined) return { operation, hidden: [] };
  const isHidden = ({ name }: ResponseHeader) =>
    headers[name.toLowerCase()] === undefined && (!isOwnOrigin || name.toLowerCase() === "set-cookie");
  const visible = { ...response, headers: response.headers.filter((header) => !isHidden(header)) };
  const responses = operation.responses.map((one) => (one === response ? visible : one));
  return {
    operation: { ...operation, responses },
    hidden: response.headers.filter(isHidden).map(({ name }) => name),
  };
}

/** The response that the request may expect. A number that cannot be kept here does not violate the contract. */
function toExpectation({ mistakes, notes }: RequestVerdict): Pick<TestCase, "expectation" | "constraint"> {
  const [first] = mistakes;
  if (first === undefined) return { expectation: notes.length === 0 ? "accepted" : "open" };
  if (mistakes.some(({ keyword }) => keyword === INEXACT)) return { expectation: "open" };
  const path = first.key?.split("/") ?? [];
  return { expectation: "refused", constraint: { path, keyword: first.keyword } };
}
