import { HttpError } from "./http-error.js";

/** One finding of the request validator: `{ path: "/query/limit", message: "must be <= 100", errorCode: "maximum.…" }`. */
export interface ValidationProblem {
  readonly path: string;
  readonly message: string;
  /** `required.openapi.validation`; absent for what is found before the schemas are asked. */
  readonly errorCode?: string;
}

const MAX_PROBLEMS_TOLD = 10;

/** `invalid_body` when all problems are in the body, else `invalid_parameter`; the message names each value. */
export function toValidationError(problems: readonly ValidationProblem[], cause: unknown): HttpError {
  const told = [...new Set(problems.map(describe))];
  const rest = told.length - MAX_PROBLEMS_TOLD;
  const message = told.slice(0, MAX_PROBLEMS_TOLD).join("; ") + (rest > 0 ? `; and ${rest} more` : "");
  const inBody = problems.every(({ path }) => path.startsWith("/body"));
  return new HttpError(inBody ? "invalid_body" : "invalid_parameter", { message, cause });
}

/**
 * `/query/limit`, `must be <= 100` becomes `Query parameter "limit" must be at most 100`;
 * `/body/tags/0`, `must be string` becomes `Field "tags/0" must be a string`.
 */
function describe({ path, message, errorCode }: ValidationProblem): string {
  const [, place = "", ...rest] = path.split("/");
  const what = errorCode?.startsWith("required.") === true ? "is required" : inWords(message);
  return `${nameValue(place, rest)} ${what}`;
}

const PLACES: Readonly<Record<string, string>> = {
  query: "Query parameter",
  params: "Path parameter",
  headers: "Header",
  body: "Field",
};

function nameValue(place: string, rest: readonly string[]): string {
  if (rest.length === 0) return place === "body" ? "The body" : "The request";
  const name = rest.join("/").replaceAll("~1", "/").replaceAll("~0", "~");
  // Cookies are validated as path parameters, see `cookieParameter`.
  if (place === "params" && name.startsWith("cookie/")) return `Cookie "${name.slice("cookie/".length)}"`;
  return `${PLACES[place] ?? place} "${name}"`;
}

/** The validator's messages as a reader would put them; the ones that already read well stay. */
const IN_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^Unknown query parameter.*$/, "is unknown"],
  [/^Empty value found for.*$/, "must not be empty"],
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
