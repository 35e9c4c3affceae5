import { parsePointer } from "tenon/core/document/pointer";
import { toMediaKind } from "tenon/core/http/media-type";
import type { Expectation, Wrong } from "../../verify/draft.js";
import { ANSWER_CHECKS } from "../../verify/checks/answer-checks.js";
import { checkBody, type JudgedBody, readBody } from "../../verify/checks/body.js";
import type { Exchange } from "../../verify/checks/check.js";
import type { Answer } from "../../verify/http/answer.js";
import { createJudge, type Judge } from "../../verify/schema/judge.js";
import { findResponse, type TargetHeader, type TargetOperation } from "../../verify/target.js";
import { type Call, INEXACT, type Mistake } from "./call.js";
import type { Callable, Reading } from "./callable.js";
import { toFirstParagraph } from "./first-paragraph.js";

/** Judges the calls of one operation by its contract. */
export interface Verdicts {
  request(call: Call): RequestVerdict;
  answer(call: Call, verdict: RequestVerdict, answer: VisibleAnswer): Promise<AnswerVerdict>;
  close(): void;
}

export interface RequestVerdict {
  readonly mistakes: readonly Mistake[];
  /** What is not judged, and why. */
  readonly notes: readonly string[];
}

/** An answer as far as a page may see it. */
export interface VisibleAnswer extends Answer {
  /** From the page's own origin: nothing is hidden but cookies. */
  readonly isOwnOrigin: boolean;
}

export interface AnswerVerdict {
  /** What the contract says of the status; undefined when it does not declare it. */
  readonly meaning: string | undefined;
  readonly faults: readonly AnswerFault[];
  /** What was judged and is as declared: `the status`. */
  readonly kept: readonly string[];
  readonly notes: readonly string[];
}

export interface AnswerFault {
  readonly message: string;
  /** JSON pointer into the body. */
  readonly at?: string;
}

/** Longer lists of faults tell nothing new. */
const MOST_FAULTS = 25;

/** Schemas of requests are compiled before the promise is fulfilled, those of answers when there is one. */
export async function createVerdicts(callable: Callable): Promise<Verdicts> {
  const { operation, target, bodiless } = callable;
  const requests = createJudge(target.requests);
  await requests.prepare([bodiless, ...operation.shapes].map(({ schema }) => schema));
  let answers: { readonly whole: Reading; readonly responses: Judge } | undefined;
  return {
    request: (call) => judgeRequest(call, callable, requests),
    async answer(call, verdict, answer) {
      if (answers === undefined) {
        const whole = callable.readWhole();
        answers = { whole, responses: createJudge(whole.target.responses) };
      }
      const { whole, responses } = answers;
      await responses.prepare(listSchemas(whole.operation));
      return judgeAnswer({ call, verdict, answer }, whole, responses);
    },
    close: () => {
      requests.close();
      answers?.responses.close();
    },
  };
}

function listSchemas({ responses }: TargetOperation): readonly string[] {
  return [...responses.values()].flatMap(({ content, headers }) => [
    ...content.flatMap(({ schema }) => schema ?? []),
    ...headers.map(({ schema }) => schema),
  ]);
}

function judgeRequest(
  { judged, mistakes, unjudged }: Call,
  callable: Callable,
  requests: Judge,
): RequestVerdict {
  const kind = toMediaKind(judged.shape.mediaType ?? "");
  const known = new Set(mistakes.map(({ key }) => key));
  const found = requests.list(judged.shape.schema, judged.value).flatMap(({ at, keyword, message }) => {
    const [place = "", name = ""] = parsePointer(at);
    // A parameter or body that is missing is told already, in a reader's words.
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
}

function judgeAnswer({ call, verdict, answer }: Judged, whole: Reading, responses: Judge): AnswerVerdict {
  const { hidden, operation } = toVisible(whole.operation, answer);
  const draft = {
    ...call.writable,
    operation,
    value: call.judged.value,
    phase: "examples" as const,
    ...toExpectation(verdict),
  };
  const exchange: Exchange = { draft, answer };
  const context = { target: whole.target, responses, isVouched: () => false };
  const others = ANSWER_CHECKS.filter((check) => check !== checkBody);
  const findings = others.flatMap((check) => check(exchange, context));
  const body = readBody(exchange);
  const faults = body === undefined ? [] : listBodyFaults(body, answer.status, responses);
  const declared = findResponse(operation, answer.status);
  const kept = [
    ...(declared === undefined ? [] : ["the status"]),
    ...(declared === undefined || declared.content.length === 0 ? [] : ["the media type"]),
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
    notes: [...notes, ...whole.problems],
    meaning: declared === undefined ? undefined : describeMeaning(whole, answer.status),
  };
}

/** By the contract, under the status itself, its range or `default`. */
function describeMeaning({ model: { responses } }: Reading, status: number): string {
  const keys = [String(status), `${String(status).charAt(0)}XX`, "default"];
  const [found] = keys.flatMap((key) => responses.find((response) => response.status === key) ?? []);
  return toFirstParagraph(found?.description ?? "");
}

function listBodyFaults(
  { schema, value }: JudgedBody,
  status: number,
  responses: Judge,
): readonly AnswerFault[] {
  if (value === undefined) return [{ message: `The body of ${status} is no JSON` }];
  return responses
    .list(schema, value)
    .map(({ at, message }) => ({ at, message: `The body of ${status} is not valid: ${message}` }));
}

/** Without the headers that the browser keeps from the page: that they are missing cannot be said. */
function toVisible(
  operation: TargetOperation,
  { status, headers, isOwnOrigin }: VisibleAnswer,
): { readonly operation: TargetOperation; readonly hidden: readonly string[] } {
  const response = findResponse(operation, status);
  if (response === undefined) return { operation, hidden: [] };
  const isHidden = ({ name }: TargetHeader) =>
    headers[name.toLowerCase()] === undefined && (!isOwnOrigin || name.toLowerCase() === "set-cookie");
  const visible = { ...response, headers: response.headers.filter((header) => !isHidden(header)) };
  return {
    operation: {
      ...operation,
      responses: new Map(
        [...operation.responses].map(([key, one]) => [key, one === response ? visible : one]),
      ),
    },
    hidden: response.headers.filter(isHidden).map(({ name }) => name),
  };
}

/** What the contract lets the request expect; a number that cannot be kept here is no mistake of the contract's. */
function toExpectation({ mistakes, notes }: RequestVerdict): {
  readonly expectation: Expectation;
  readonly wrong?: Wrong;
} {
  const [first] = mistakes;
  if (first === undefined) return { expectation: notes.length === 0 ? "accepted" : "open" };
  if (mistakes.some(({ keyword }) => keyword === INEXACT)) return { expectation: "open" };
  return { expectation: "refused", wrong: { path: first.key?.split("/") ?? [], keyword: first.keyword } };
}
