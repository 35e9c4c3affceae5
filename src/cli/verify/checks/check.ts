import type { Draft } from "../draft.js";
import { type Answer, toBodyText } from "../http/answer.js";
import type { Judge } from "../schema/judge.js";
import type { Target } from "../target.js";

/** What is checked, in the order in which reports tell of it. */
export const CHECKS = {
  "no-answer": "every request is answered",
  "server-error": "nothing makes the service fail with 5xx",
  status: "every status is declared",
  "content-type": "every content type is declared",
  body: "every body is what its schema says",
  "error-body": "every error has the body that is declared for it",
  headers: "declared headers are there, and are what their schemas say",
  accepted: "what the contract allows is accepted",
  refused: "what the contract forbids is refused with 4xx",
  auth: "nothing is answered without the credentials that the contract asks for",
  method: "a method that is not declared gets 405, with Allow",
  head: "HEAD is answered like GET, without a body",
  deprecation: "deprecated operations tell so in the declared headers",
  created: "what was created can be read, and is what was created",
  pages: "following the pages shows everything, once",
  limit: "no page is longer than its limit",
  leak: "errors tell nothing of the inside",
} as const;

export type CheckName = keyof typeof CHECKS;

/** Where the service and the contract part. */
export interface Finding {
  readonly check: CheckName;
  readonly message: string;
  /** Tells it apart from others of the same check: each is told once. */
  readonly detail: string;
  /** The same in several operations is one finding. */
  readonly shared?: true;
  /** Says no more than any other finding of the check does that the operation has already. */
  readonly vague?: true;
}

/** A request with its answer. */
export interface Exchange {
  readonly draft: Draft;
  readonly answer: Answer;
}

export interface CheckContext {
  readonly target: Target;
  /** Of the responses' schemas, all prepared. */
  readonly responses: Judge;
  readonly isVouched: (draft: Draft) => boolean;
}

/** Looks at one answer. */
export type Check = (exchange: Exchange, context: CheckContext) => readonly Finding[];

/** `application/json; charset=utf-8` is `application/json`. */
export function toContentType({ headers }: Answer): string | undefined {
  return headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
}

/** The body as JSON; undefined when it is none. */
export function toJson(answer: Answer): unknown {
  try {
    return JSON.parse(toBodyText(answer)) as unknown;
  } catch {
    return undefined;
  }
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
