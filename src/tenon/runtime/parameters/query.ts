import { type Pairs, parsePairs } from "../../core/parameters/pairs.js";
import { ValueProblem } from "../../core/parameters/value-problem.js";
import { HttpError } from "../errors/http-error.js";

/**
 * Parses a query, or a form that is written as one.
 * @param subject Subject of the message. Default: `The query`.
 * @throws {HttpError} `malformed_request` for a name with a bad percent-escape or one that is not UTF-8.
 */
export function parseQuery(text: string, subject = "The query"): Pairs {
  try {
    return parsePairs(text);
  } catch (cause) {
    if (!(cause instanceof ValueProblem)) throw cause;
    throw new HttpError("malformed_request", { message: `${subject} has a bad percent-escape`, cause });
  }
}
