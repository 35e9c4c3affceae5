import { HttpError, type Violation } from "./http-error.js";

/** An invalid value of a request. */
export interface ValidationProblem extends Violation {
  /** Name of the value for the caller: `Query parameter "limit"`, `Field "items[0][price]"`. */
  readonly subject: string;
  /** The number of further problems, which are only counted. */
  readonly more?: number;
}

const MAX_PROBLEMS_SHOWN = 10;
const MAX_VIOLATIONS = 100;

/**
 * `invalid_body` when all problems are in the body, else `invalid_parameter`; the message names each value.
 * @param code A code that takes precedence, for more serious problems.
 */
export function toValidationError(
  problems: readonly ValidationProblem[],
  code?: "malformed_request",
): HttpError {
  const more = problems.reduce((sum, problem) => sum + (problem.more ?? 0), 0);
  const message = joinProblems(
    problems.map(({ subject, text }) => `${subject} ${text}`),
    more,
  );
  const inBody = problems.every((problem) => problem.in === "body");
  const violations = problems
    .slice(0, MAX_VIOLATIONS)
    .map(({ in: place, path, text }) => ({ in: place, path, text }));
  return HttpError.refusal(code ?? (inBody ? "invalid_body" : "invalid_parameter"), { message, violations });
}

/** Puts problems into one message, each once and the first ten of them. */
function joinProblems(problems: readonly string[], more: number): string {
  const distinct = [...new Set(problems)];
  const rest = Math.max(0, distinct.length - MAX_PROBLEMS_SHOWN) + more;
  return distinct.slice(0, MAX_PROBLEMS_SHOWN).join("; ") + (rest > 0 ? `; and ${rest} more` : "");
}
