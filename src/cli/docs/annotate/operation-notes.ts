import type { Contract, Operation } from "tenon/core/model";
import { toCode } from "./markdown.js";

/**
 * Notes about an operation that its page does not show otherwise: no key is needed, calls are limited, it can be repeated.
 * `**rate limit** 429, told by `RateLimit``
 */
export function toOperationNotes(operation: Operation, contract: Contract): readonly string[] {
  const notes = [noteKey(operation, contract), noteLimit(operation), noteRepetition(operation)];
  return notes.filter((note) => note !== undefined);
}

/** Redoc shows which key is needed; that none is needed is worth a note only where other operations need one. */
function noteKey({ security }: Operation, { securitySchemes }: Contract): string | undefined {
  if (securitySchemes.length === 0) return undefined;
  if (security.length === 0) return "**key** none";
  const isFree = security.some((requirement) => Object.keys(requirement).length === 0);
  if (!isFree) return undefined;
  return security.length === 1 ? "**key** none" : "**key** optional";
}

/** Headers with the number of calls that are left, by the drafts of the IETF or the convention before them. */
const LIMIT_HEADER = /^(?:x-)?rate-?limit/i;

function noteLimit({ responses }: Operation): string | undefined {
  const limited = responses.filter(({ status }) => status === "429");
  const successes = responses.filter(({ status }) => status.startsWith("2"));
  const headers = [...successes, ...limited].flatMap((response) => response.headers.map(({ name }) => name));
  const names = [...new Set(headers.filter((name) => LIMIT_HEADER.test(name)))];
  const parts = [
    ...(limited.length === 0 ? [] : ["429"]),
    ...(names.length === 0 ? [] : [`told by ${names.map(toCode).join(", ")}`]),
  ];
  return parts.length === 0 ? undefined : `**rate limit** ${parts.join(", ")}`;
}

/** @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ */
function noteRepetition({ parameters }: Operation): string | undefined {
  const key = parameters.find(
    (parameter) => parameter.in === "header" && /^(?:x-)?idempotency-key$/i.test(parameter.name),
  );
  return key && `**can be repeated** with ${toCode(key.name)}`;
}
