import { HttpError, type Violation } from "../errors/http-error.js";

/** What keeps a request from being valid. */
export interface ValidationProblem extends Violation {
  /** What its caller calls the value: `Query parameter "limit"`, `Field "items[0][price]"`. */
  readonly subject: string;
}

const MAX_PROBLEMS_TOLD = 10;
const MAX_VIOLATIONS = 100;

/**
 * `invalid_body` when all problems are in the body, else `invalid_parameter`; the message names each value.
 * @param code Another code, of problems that are worse.
 */
export function toValidationError(
  problems: readonly ValidationProblem[],
  code?: "malformed_request",
): HttpError {
  const message = joinProblems(problems.map(({ subject, text }) => `${subject} ${text}`));
  const inBody = problems.every((problem) => problem.in === "body");
  const violations = problems
    .slice(0, MAX_VIOLATIONS)
    .map(({ in: place, path, text }) => ({ in: place, path, text }));
  return HttpError.refusal(code ?? (inBody ? "invalid_body" : "invalid_parameter"), { message, violations });
}

/** Puts problems into one message, each once and the first ten of them. */
function joinProblems(problems: readonly string[]): string {
  const told = [...new Set(problems)];
  const rest = told.length - MAX_PROBLEMS_TOLD;
  return told.slice(0, MAX_PROBLEMS_TOLD).join("; ") + (rest > 0 ? `; and ${rest} more` : "");
}
