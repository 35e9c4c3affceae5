import type { SchemaView } from "../../values/index.js";
import type { ServiceResponse, TestCase } from "../messages/index.js";
import type { Validator } from "../validator.js";

/** The checks, in the order of reports. */
export const CHECKS = {
  "no-answer": "every request gets a response",
  "server-error": "no request makes the service fail with 5xx",
  status: "every status is declared",
  "content-type": "every content type is declared",
  body: "every body is valid",
  "error-body": "every error has its declared body",
  headers: "declared headers are present and valid",
  accepted: "valid requests are accepted",
  refused: "invalid requests are refused with 4xx",
  auth: "required credentials are enforced",
  method: "an undeclared method gets 405 with Allow",
  head: "HEAD responds like GET, without a body",
  ranges: "a range of bytes has the bytes that were asked for",
  deprecation: "deprecated operations send the declared headers",
  undeclared: "responses have declared members only",
  created: "a created resource can be read, unchanged",
  replaced: "a replaced resource is read as it was sent",
  deleted: "a deleted resource cannot be read",
  pages: "the pages of a list have every item once",
  limit: "no page exceeds its limit",
  callbacks: "callbacks are sent as declared",
  leak: "errors reveal no internals",
} as const;

export type CheckName = keyof typeof CHECKS;

/** A mismatch between the service and the contract. */
export interface Finding {
  readonly check: CheckName;
  readonly message: string;
  /** Identifies the cause, together with the check: each is reported once. */
  readonly detail: string;
  /** The part of the message that has it: `body/name`. */
  readonly place?: string;
  /** The same in several operations has one cause. */
  readonly shared?: true;
  /** The constraint of a member that the service does not enforce: `maxLength name`. */
  readonly unenforced?: string;
  /** Dropped when the service enforces none of these: then it sends what it should have refused. */
  readonly consequenceOf?: readonly string[];
  /** Dropped when the operation has another finding of the same check. */
  readonly vague?: true;
}

/** A request with its response. */
export interface Exchange {
  readonly testCase: TestCase;
  readonly response: ServiceResponse;
}

export interface CheckContext {
  /** Path that the servers' URLs share. */
  readonly basePath: string;
  readonly requests: SchemaView;
  /** Has prepared every schema of the operation's responses. */
  readonly responses: Validator;
  /** True if the contract alone decides whether a valid request is accepted. */
  readonly isPredictable: (testCase: TestCase) => boolean;
}

/** Checks one response. */
export type Check = (exchange: Exchange, context: CheckContext) => readonly Finding[];

/** Checks what needs no more than a response and its operation. */
export type DeclarationCheck = (
  exchange: {
    readonly testCase: Pick<TestCase, "operation">;
    readonly response: ServiceResponse;
  },
  context: Pick<CheckContext, "responses">,
) => readonly Finding[];
