import { parsePointer } from "tenon/core/document";
import { findResponse, toMediaKind } from "tenon/core/http";
import type { Operation, ResponseHeader } from "tenon/core/model";
import type { Schema } from "tenon/core/schema";
import {
  checkBody,
  createValidator,
  type DescribedBody,
  type Exchange,
  readBody,
  RESPONSE_CHECKS,
  type Validator,
} from "../../verify/checks/index.js";
import type { Constraint, Expectation, ServiceResponse } from "../../verify/messages/index.js";
import { listShapes } from "../../verify/messages/index.js";
import { type Call, INEXACT, type Mistake } from "./call.js";
import type { Callable } from "./callable.js";
import { toFirstParagraph } from "./first-paragraph.js";

/** Validates the calls of one operation by its contract. */
export interface Verdicts {
  request(call: Call): RequestVerdict;
  answer(call: Call, verdict: RequestVerdict, answer: VisibleAnswer): Promise<AnswerVerdict>;
  close(): void;
}

export interface RequestVerdict {
  readonly mistakes: readonly Mistake[];
  /** Parts that are not validated, and why. */
  readonly notes: readonly string[];
}

/** An answer as far as a page may see it. */
export interface VisibleAnswer extends ServiceResponse {
  /** From the page's own origin: nothing is hidden but cookies. */
  readonly isOwnOrigin: boolean;
}

export interface AnswerVerdict {
  /** What the contract says of the status; undefined when it does not declare it. */
  readonly meaning: string | undefined;
  readonly faults: readonly AnswerFault[];
  /** Parts that are as declared: `the status`. */
  readonly kept: readonly string[];
  readonly notes: readonly string[];
}

export interface AnswerFault {
  readonly message: string;
  /** JSON pointer into the body. */
  readonly at?: string;
}

/** Longer lists say nothing new. */
const MOST_FAULTS = 25;

/** Compiles the schemas of requests before the promise is fulfilled, those of responses when there is one. */
export async function createVerdicts(callable: Callable): Promise<Verdicts> {
  const { operation, bodiless } = callable;
  const { registry } = callable.contract;
  const requests = createValidator({ registry, side: "request" });
  const responses = createValidator({ registry, side: "response" });
  await requests.prepare([bodiless, ...listShapes(operation)].map(({ schema }) => schema));
  return {
    request: (call) => judgeRequest(call, callable, requests),
    async answer(call, verdict, answer) {
      const problems = callable.readResponses();
      await responses.prepare(listSchemas(operation));
      return judgeAnswer({ call, verdict, answer, callable, problems }, { requests, responses });
    },
    close: () => {
      requests.close();
      responses.close();
    },
  };
}

function listSchemas({ responses }: Operation): readonly Schema[] {
  return responses.flatMap(({ mediaTypes, headers }) => [
    ...mediaTypes.flatMap(({ schema }) => schema ?? []),
    ...headers.map(({ schema }) => schema),
  ]);
}

function judgeRequest(
  { judged, mistakes, unjudged }: Call,
  callable: Callable,
  requests: Validator,
): RequestVerdict {
  const kind = toMediaKind(judged.shape.mediaType?.name ?? "");
  const known = new Set(mistakes.map(({ key }) => key));
  const found = requests.list(judged.shape.schema, judged.value).flatMap(({ at, keyword, message }) => {
    const [place = "", name = ""] = parsePointer(at);
    // A missing parameter or body is listed already.
    if (keyword === "required" && name === "" && place !== "body") return [];
    const isField = place === "body" && name !== "" && (kind === "form" || kind === "multipart");
    const key = isField ? `form/${name}` : place === "body" ? "body" : `${place}/${name}`;
    return known.has(key) ? [] : [{ key, message, keyword }];
  });
  return {
    mistakes: [...mistakes, ...found].slice(0, MOST_FAULTS),
    notes: [...(unjudged === undefined ? [] : [unjudged]), ...callable.problems],
  };
}

interface Judged {
  readonly call: Call;
  readonly verdict: RequestVerdict;
  readonly answer: VisibleAnswer;
  readonly callable: Callable;
  /** Parts of the responses that cannot be read. */
  readonly problems: readonly string[];
}

interface Validators {
  readonly requests: Validator;
  readonly responses: Validator;
}

function judgeAnswer(
  { call, verdict, answer, callable, problems }: Judged,
  { requests, responses }: Validators,
): AnswerVerdict {
  const { hidden, operation } = toVisible(callable.operation, answer);
  const testCase = {
    ...call.parts,
    operation,
    value: call.judged.value,
    phase: "examples" as const,
    ...toExpectation(verdict),
  };
  const exchange: Exchange = { testCase, response: answer };
  const { basePath } = callable.contract;
  const context = { basePath, requests, responses, isPredictable: () => false };
  const others = RESPONSE_CHECKS.filter((check) => check !== checkBody);
  const findings = others.flatMap((check) => check(exchange, context));
  const body = readBody(exchange);
  const faults = body === undefined ? [] : listBodyFaults(body, answer.status, responses);
  const declared = findResponse(operation.responses, answer.status);
  const kept = [
    ...(declared === undefined ? [] : ["the status"]),
    ...(declared === undefined || declared.mediaTypes.length === 0 ? [] : ["the media type"]),
    ...(body === undefined ? [] : ["the body"]),
    ...(declared === undefined || declared.headers.length === 0 ? [] : ["the headers"]),
  ];
  const notes = [
    ...(body === undefined && answer.body.length > 0
      ? ["the contract has no schema that could judge the body"]
      : []),
    ...(hidden.length === 0
      ? []
      : [
          `${hidden.join(", ")}: absent, or hidden from pages (Access-Control-Expose-Headers does not name it)`,
        ]),
  ];
  return {
    faults: [...findings.map(({ message }) => ({ message })), ...faults].slice(0, MOST_FAULTS),
    kept,
    notes: [...notes, ...problems],
    meaning: declared && toFirstParagraph(declared.description ?? ""),
  };
}

function listBodyFaults(
  { schema, value }: DescribedBody,
  status: number,
  responses: Validator,
): readonly AnswerFault[] {
  if (value === undefined) return [{ message: `The body of ${status} is not JSON` }];
  return responses
    .list(schema, value)
    .map(({ at, message }) => ({ at, message: `The body of ${status} is not valid: ${message}` }));
}

/** Without the headers that the browser keeps from the page: that they are missing cannot be said. */
function toVisible(
  operation: Operation,
  { status, headers, isOwnOrigin }: VisibleAnswer,
): { readonly operation: Operation; readonly hidden: readonly string[] } {
  const response = findResponse(operation.responses, status);
  if (response === undefined) return { operation, hidden: [] };
  const isHidden = ({ name }: ResponseHeader) =>
    headers[name.toLowerCase()] === undefined && (!isOwnOrigin || name.toLowerCase() === "set-cookie");
  const visible = { ...response, headers: response.headers.filter((header) => !isHidden(header)) };
  return {
    operation: {
      ...operation,
      responses: operation.responses.map((one) => (one === response ? visible : one)),
    },
    hidden: response.headers.filter(isHidden).map(({ name }) => name),
  };
}

/** What the contract lets the request expect; a number that cannot be kept here is no mistake of the contract's. */
function toExpectation({ mistakes, notes }: RequestVerdict): {
  readonly expectation: Expectation;
  readonly constraint?: Constraint;
} {
  const [first] = mistakes;
  if (first === undefined) return { expectation: notes.length === 0 ? "accepted" : "open" };
  if (mistakes.some(({ keyword }) => keyword === INEXACT)) return { expectation: "open" };
  return {
    expectation: "refused",
    constraint: { path: first.key?.split("/") ?? [], keyword: first.keyword },
  };
}
