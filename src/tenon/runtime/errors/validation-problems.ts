import type { SchemaProblem } from "../../core/validation/index.js";
import { HttpError, type Violation } from "./http-error.js";

/** An invalid value of a request. */
export interface ValidationProblem extends Violation {
  /** Name of the value for the caller: `Query parameter "limit"`, `Field "items[0][price]"`. */
  readonly subject: string;
  /** The number of further problems, which are only counted. */
  readonly more?: number | undefined;
}

/** Says where the value of a problem is. Without rest and spread, which take longer than validation. */
export function atPlace(
  { in: location, path, subject }: Omit<ValidationProblem, "text">,
  { text, more }: SchemaProblem,
): ValidationProblem {
  return { in: location, path, subject, text, more };
}

const MAX_PROBLEMS_SHOWN = 10;
const MAX_VIOLATIONS = 100;

/**
 * `invalid_body` when all problems are in the body, else `invalid_parameter`; the message names each value once.
 * @param code A code that takes precedence, for more serious problems.
 */
export function toValidationError(
  problems: readonly ValidationProblem[],
  code?: "malformed_request",
): HttpError {
  const texts = new Set<string>();
  const violations: Violation[] = [];
  let more = 0;
  let inBody = true;
  for (const { in: location, path, subject, text, more: hidden = 0 } of problems) {
    texts.add(`${subject} ${text}`);
    more += hidden;
    inBody &&= location === "body";
    if (violations.length < MAX_VIOLATIONS) violations.push({ in: location, path, text });
  }
  const message = joinProblems([...texts], more);
  return HttpError.refusal(code ?? (inBody ? "invalid_body" : "invalid_parameter"), { message, violations });
}

/** Puts the first ten problems into one message. */
function joinProblems(problems: readonly string[], more: number): string {
  const rest = Math.max(0, problems.length - MAX_PROBLEMS_SHOWN) + more;
  return problems.slice(0, MAX_PROBLEMS_SHOWN).join("; ") + (rest > 0 ? `; and ${rest} more` : "");
}
