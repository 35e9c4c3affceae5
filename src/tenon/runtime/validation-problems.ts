import { HttpError } from "./http-error.js";

/** What keeps a request from being valid. */
export interface ValidationProblem {
  /** What its caller calls the value: `Query parameter "limit"`, `Field "items[0][price]"`. */
  readonly subject: string;
  /** Completes the subject to a sentence. */
  readonly text: string;
  readonly isParameter: boolean;
}

const MAX_PROBLEMS_TOLD = 10;

/** `invalid_body` when all problems are in the body, else `invalid_parameter`; the message names each value. */
export function toValidationError(problems: readonly ValidationProblem[]): HttpError {
  const message = joinProblems(problems.map(({ subject, text }) => `${subject} ${text}`));
  const inBody = problems.every(({ isParameter }) => !isParameter);
  return HttpError.refusal(inBody ? "invalid_body" : "invalid_parameter", { message });
}

/** Puts problems into one message, each once and the first ten of them. */
export function joinProblems(problems: readonly string[]): string {
  const told = [...new Set(problems)];
  const rest = told.length - MAX_PROBLEMS_TOLD;
  return told.slice(0, MAX_PROBLEMS_TOLD).join("; ") + (rest > 0 ? `; and ${rest} more` : "");
}
