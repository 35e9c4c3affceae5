import { isDeepStrictEqual } from "node:util";
import { isDate } from "./dates.js";
import type { TestAnswer, TestRequest } from "./request.js";

/** One request and what both servers made of it. */
export interface Observed {
  readonly request: TestRequest;
  readonly ours: TestAnswer;
  readonly theirs: TestAnswer;
}

export interface IntendedDifference {
  readonly name: string;
  readonly reason: string;
  readonly covers: (observed: Observed) => boolean;
}

/** What express-openapi-validator refuses raw in a value of the query. */
const RESERVED = /=[^&]*[:/?#[\]@!$'()*+,;=]/;

/** Where the runtime differs from plain express-openapi-validator on purpose. */
export const INTENDED: readonly IntendedDifference[] = [
  {
    name: "HEAD and OPTIONS",
    reason: "0002: answered; a 405 there",
    covers: ({ request: { method }, theirs }) => theirs.status === 405 && /^(HEAD|OPTIONS)$/.test(method),
  },
  {
    name: "Accept",
    reason: "0007: 406 where none of the declared media types will do; not read there",
    covers: ({ request, ours }) => ours.status === 406 && "Accept" in request.headers,
  },
  {
    name: "credentials before the body",
    reason: "0002: a caller without a key learns nothing from errors; the body is parsed first there",
    covers: ({ ours, theirs }) => ours.status === 401 && theirs.status === 400,
  },
  {
    name: "path templates",
    reason: "0002: `{item-id}` is a parameter; never matched there",
    covers: ({ request, theirs }) =>
      theirs.status === 404 && /^\/items\/[^/]+$/.test(request.target.split("?")[0] ?? ""),
  },
  {
    name: "no Content-Type",
    reason: "0007: without it there is no body, which is 400 where one is required; always 415 there",
    covers: ({ request, ours, theirs }) =>
      theirs.status === 415 && !("content-type" in request.headers) && isAllowedWithoutBody(request, ours),
  },
  {
    name: "empty body",
    reason: "0007: JSON is never empty, so it is no body, and an optional one may be absent; `{}` there",
    covers: ({ request, ours }) => request.body === "" && isAllowedWithoutBody(request, ours),
  },
  {
    name: "spelling of numbers",
    reason:
      "0002: plain decimal numbers that stay exact; whatever `Number` reads there, past the bounds even",
    covers: ({ request, ours, theirs }) =>
      isStricter({ ours, theirs }) && request.numbers.some((text) => isOddNumber(text)),
  },
  {
    name: "zero in a path",
    reason: "the number 0; there a text, because 0 is false",
    covers: ({ ours, theirs }) => isDeepStrictEqual(withZeros(ours.seen), withZeros(theirs.seen)),
  },
  {
    name: "reserved characters",
    reason: "0002: `it's` and `10:30` are accepted in the query; refused unless `allowReserved` there",
    covers: ({ request, theirs }) =>
      theirs.status === 400 && RESERVED.test(request.target.split("?")[1] ?? ""),
  },
  {
    name: "escaped delimiters",
    reason: "0008: split, then decoded, so that an item may hold a comma; the other way round there",
    covers: ({ request, ours, theirs }) => isStricter({ ours, theirs }) && request.target.includes("%2C"),
  },
  {
    name: "repeated arrays",
    reason: "0008: an array that is not exploded comes once; taken together there",
    covers: ({ request, ours, theirs }) => isStricter({ ours, theirs }) && hasRepeated(request),
  },
  {
    name: "days and times",
    reason: "0002: those of the calendar; 2026-02-30 passes there",
    covers: ({ request, ours, theirs }) =>
      isStricter({ ours, theirs }) && datesOf(request).some((text) => !isDate(text)),
  },
  {
    name: "null as a text",
    reason: "0008: `null` is null where the schema allows it; no number there",
    covers: ({ request, ours, theirs }) =>
      ours.status === 200 && theirs.status === 400 && request.numbers.includes("null"),
  },
  {
    name: "unions in parameters",
    reason: "0008: the first type that the text is a form of; schemas without `type` stay texts there",
    covers: ({ request: { target } }) => /\/unions\?(.*&)?(id|size|level|flag|ids)=/.test(target),
  },
  {
    name: "duplicate members",
    reason: "0002: 400; the last wins there",
    covers: bodyHas(/"odd":1,"odd":2/),
  },
  {
    name: "NUL",
    reason: "0002: 400, since no store keeps it; accepted there",
    covers: bodyHas(/\\u0000/),
  },
  {
    name: "lone surrogates",
    reason: "0002: 400, since they are no text; accepted there",
    covers: bodyHas(/\\ud800/),
  },
  {
    name: "rounded numbers",
    reason: "0002: kept exactly or 400; rounded there",
    covers: bodyHas(/:(1e400|9007199254740993)\b/),
  },
];

/** The first intended difference that explains one; none explains a failure of ours. */
export function explain(observed: Observed): IntendedDifference | undefined {
  const { status } = observed.ours;
  return status === 500 ? undefined : INTENDED.find(({ covers }) => covers(observed));
}

/** Refused here as wrong, accepted there. */
function isStricter({ ours, theirs }: Pick<Observed, "ours" | "theirs">): boolean {
  return ours.status === 400 && theirs.status !== 400;
}

function isAllowedWithoutBody({ needsBody }: TestRequest, { status }: TestAnswer): boolean {
  return status !== 200 || !needsBody;
}

function bodyHas(text: RegExp): IntendedDifference["covers"] {
  return ({ request: { body = "" }, ours, theirs }) =>
    ours.status === 400 && theirs.status === 200 && text.test(body);
}

/** Something that `Number` reads, and that is not written as JSON would write it, or not exact as an integer. */
function isOddNumber(text: string): boolean {
  if (text === "" || Number.isNaN(Number(text))) return false;
  return !/^(0|-?[1-9]\d*)(\.\d*[1-9])?$/.test(text) || Math.abs(Number(text)) > Number.MAX_SAFE_INTEGER;
}

function hasRepeated({ target }: TestRequest): boolean {
  const names = [...new URLSearchParams(target.split("?")[1]).keys()];
  return new Set(names).size < names.length;
}

/** What a handler saw, with 0 for each zero in the path; equal to nothing where no handler was called. */
function withZeros(seen: unknown): unknown {
  if (seen === undefined) return Symbol("not accepted");
  const { path, ...rest } = seen as { path: object };
  const entries = Object.entries(path).map(([name, value]: [string, unknown]) => [
    name,
    value === "0" || value === "-0" ? 0 : value,
  ]);
  return { path: Object.fromEntries(entries) as object, ...rest };
}

function datesOf({ target, body = "" }: TestRequest): readonly string[] {
  return `${decodeURIComponent(target)} ${body}`.match(/\d{4}-\d{2}-\d{2}(T[^"&]*)?/g) ?? [];
}
