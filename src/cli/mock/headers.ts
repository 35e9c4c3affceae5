import type { ReplyHeaders } from "tenon/runtime/response/reply";
import type { Unhandled } from "tenon/runtime/routing/route";
import type { DeclaredHeader, DeclaredResponse } from "./declared.js";
import type { TryValues } from "./values.js";

interface Head {
  readonly response: DeclaredResponse;
  readonly status: number;
  readonly seed: number;
}

interface Making extends Pick<Unhandled, "check"> {
  /** Headers that the answer has anyway. */
  readonly fixed: Readonly<Record<string, string>>;
  readonly tryValues: TryValues;
}

/** How many combinations of values are tried. */
const TRIES = 50;

/**
 * Headers of an answer. A success has those that it must have: what is optional, a `Link` to the next page for example, tells of
 * what is not there. Of other answers callers are to act on the headers, `Retry-After` or `Location`, so they have all.
 */
export function makeHeaders(
  { response, status, seed }: Head,
  { check, fixed, tryValues }: Making,
): ReplyHeaders {
  const taken = new Set(Object.keys(fixed).map((name) => name.toLowerCase()));
  const isSuccess = status < 300;
  const wanted = response.headers.filter(
    ({ name, required }) =>
      (required || !isSuccess) && !taken.has(name.toLowerCase()) && name.toLowerCase() !== "content-type",
  );
  if (wanted.length === 0) return {};
  const values = wanted.map((header) => toValues(header, seed, tryValues));
  let headers: ReplyHeaders = {};
  for (let count = 0; count < TRIES; count += 1) {
    headers = Object.fromEntries(
      wanted.map(({ name }, index): [string, ReplyHeaders[string]] => [name, values[index]?.next().value]),
    );
    // Without its body the answer has problems that are not of the headers.
    if (!check({ status, headers, content: undefined }).some((problem) => problem.startsWith("header ")))
      break;
  }
  return headers;
}

/** Endless: the last value again where there are no more. */
function* toValues(
  { schema, examples }: DeclaredHeader,
  seed: number,
  tryValues: TryValues,
): Generator<ReplyHeaders[string], never> {
  let last: ReplyHeaders[string];
  for (const { value } of examples) {
    if (isSendable(value)) yield (last = value);
  }
  for (const value of tryValues(schema, seed, false)) {
    if (isSendable(value)) yield (last = value);
  }
  for (;;) yield last;
}

function isSendable(value: unknown): value is string | number | boolean | readonly string[] {
  if (typeof value === "string") return /^[\t\x20-\x7e]*$/.test(value);
  if (Array.isArray(value)) return value.every((item) => typeof item === "string" && isSendable(item));
  return typeof value === "number" || typeof value === "boolean";
}
