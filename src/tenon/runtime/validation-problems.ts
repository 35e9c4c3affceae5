import { HttpError } from "./http-error.js";
import { withoutConditions } from "./schema-problem.js";

/** One finding of the request validator: `{ path: "/body/size", message: "must be <= 100", errorCode: "maximum.…" }`. */
export interface ValidationProblem {
  readonly path: string;
  /** What the caller calls the value, when it is a parameter: `Query parameter "limit"`. */
  readonly parameter?: string;
  /** What the caller calls the value, when it is in a form: `Field "items[0][price]"`. */
  readonly field?: string;
  readonly message: string;
  /** `required.openapi.validation`; absent for what is found before the schemas are asked. */
  readonly errorCode?: string;
}

const MAX_PROBLEMS_TOLD = 10;

/** `invalid_body` when all problems are in the body, else `invalid_parameter`; the message names each value. */
export function toValidationError(problems: readonly ValidationProblem[]): HttpError {
  const told = withoutConditions(problems, ({ errorCode }) => errorCode?.split(".")[0]);
  const message = joinProblems(told.map(describe));
  const inBody = told.every(({ parameter }) => parameter === undefined);
  return new HttpError(inBody ? "invalid_body" : "invalid_parameter", { message });
}

/** Puts problems into one message, each once and the first ten of them. */
export function joinProblems(problems: readonly string[]): string {
  const told = [...new Set(problems)];
  const rest = told.length - MAX_PROBLEMS_TOLD;
  return told.slice(0, MAX_PROBLEMS_TOLD).join("; ") + (rest > 0 ? `; and ${rest} more` : "");
}

/** `/body/tags/0`, `must be string` becomes `Field "tags/0" must be a string`. */
function describe({ path, parameter, field, message, errorCode }: ValidationProblem): string {
  const what = errorCode?.startsWith("required.") === true ? "is required" : inWords(message);
  return `${parameter ?? field ?? nameField(path)} ${what}`;
}

function nameField(path: string): string {
  const name = toKeys(path).join("/");
  return name === "" ? "The body" : `Field "${name}"`;
}

/** Names and indexes that lead from the body to a value: `/body/tags/0` has `tags` and `0`. */
export function toKeys(path: string): readonly string[] {
  const keys = path.split("/").slice(2);
  return keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The validator's messages as a reader would put them; the ones that already read well stay. */
const IN_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^must be <= /, "must be at most "],
  [/^must be >= /, "must be at least "],
  [/^must be < /, "must be less than "],
  [/^must be > /, "must be more than "],
  [/^must be equal to one of the allowed values: /, "must be one of "],
  [/^must be (string|number|boolean)$/, "must be a $1"],
  [/^must be (integer|object|array)$/, "must be an $1"],
  [/^must NOT /, "must not "],
];

function inWords(message: string): string {
  for (const [pattern, words] of IN_WORDS) {
    if (pattern.test(message)) return message.replace(pattern, words);
  }
  return message;
}
