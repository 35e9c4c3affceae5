import type { ResponseHeader } from "tenon/core/model";
import type { ReplyHeaders } from "tenon/runtime/internal";
import type { Unhandled } from "tenon/runtime";
import type { Chosen } from "./choose-response.js";
import type { TryValues } from "./try-values.js";

interface HeaderOptions extends Pick<Unhandled, "check"> {
  /** Headers that the runtime sends with every response. */
  readonly fixed: Readonly<Record<string, string>>;
  readonly tryValues: TryValues;
}

/** Combinations of values to try. */
const TRIES = 50;

/**
 * Makes the headers of a response. A success has only the required ones, because an optional header, such as a `Link` to the next
 * page, describes something that the mock does not have. Other responses have all: callers act on `Retry-After` or `Location`.
 */
export function makeHeaders(
  { response, status }: Chosen,
  seed: number,
  { check, fixed, tryValues }: HeaderOptions,
): ReplyHeaders {
  const taken = new Set(["content-type", ...Object.keys(fixed).map((name) => name.toLowerCase())]);
  const wanted = response.headers.filter(
    ({ name, required }) => (required || status >= 300) && !taken.has(name.toLowerCase()),
  );
  if (wanted.length === 0) return {};
  const values = wanted.map((header) => listValues(header, seed, tryValues));
  let headers: ReplyHeaders = {};
  for (let count = 0; count < TRIES; count += 1) {
    headers = Object.fromEntries(
      wanted.map(({ name }, index): [string, ReplyHeaders[string]] => [name, values[index]?.next().value]),
    );
    // The body is missing, so only problems of headers count.
    if (!check({ status, headers, content: undefined }).some((problem) => problem.startsWith("header ")))
      break;
  }
  return headers;
}

/** Endless: repeats the last value. */
function* listValues(
  { schema, examples }: ResponseHeader,
  seed: number,
  tryValues: TryValues,
): Generator<ReplyHeaders[string], never> {
  let last: ReplyHeaders[string];
  for (const value of examples.map((example) => example.value)) if (isSendable(value)) yield (last = value);
  for (const value of tryValues(schema, seed, false)) if (isSendable(value)) yield (last = value);
  for (;;) yield last;
}

function isSendable(value: unknown): value is string | number | boolean | readonly string[] {
  if (typeof value === "string") return /^[\t\x20-\x7e]*$/.test(value);
  if (Array.isArray(value)) return value.every((item) => typeof item === "string" && isSendable(item));
  return typeof value === "number" || typeof value === "boolean";
}
