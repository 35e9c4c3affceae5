import { showInstant } from "../../core/document/instant.js";
import { HttpError } from "../errors/http-error.js";
import type { DeprecationDescriptor } from "../operation.js";

export interface Deprecation {
  /** Headers of every response of the operation. */
  readonly headers: Readonly<Record<string, string>>;
  /** @throws {HttpError} `gone` from the sunset on. */
  assertNotGone(now: number): void;
}

/**
 * Tells callers of a deprecated operation when it ends and what replaces it, long before it does.
 * `Deprecation: @1795219200` (RFC 9745), `Sunset: Thu, 05 Dec 2030 00:00:00 GMT` (RFC 8594),
 * `Link: </v1/pets>; rel="successor-version"` (RFC 8288; the relation is of RFC 5829). A successor whose path has parameters is no
 * URI that a `Link` could have: `Link-Template: "/v1/animals/{id}"; rel="successor-version"` (RFC 9652).
 */
export function createDeprecation(descriptor: DeprecationDescriptor, basePath: string): Deprecation {
  const { since, sunset, successor } = descriptor;
  const sunsetTime = sunset === undefined ? Infinity : Date.parse(sunset);
  const headers: Record<string, string> = {};
  if (since !== undefined) headers["Deprecation"] = `@${Math.floor(Date.parse(since) / 1000)}`;
  if (sunset !== undefined) headers["Sunset"] = new Date(sunsetTime).toUTCString();
  if (successor !== undefined) {
    const target = toUriTemplate(`${basePath}${successor}`);
    const relation = 'rel="successor-version"';
    if (target.includes("{")) headers["Link-Template"] = `"${target}"; ${relation}`;
    else headers["Link"] = `<${target}>; ${relation}`;
  }
  const replacement = successor === undefined ? "" : `; use ${basePath}${successor}`;
  return {
    headers,
    assertNotGone(now) {
      if (now < sunsetTime) return;
      throw new HttpError("gone", {
        message: `This operation was removed on ${showInstant(sunsetTime)}${replacement}`,
      });
    },
  };
}

/**
 * A path template as RFC 6570 writes it, where names have fewer characters than OpenAPI's: `/ä/{pet-id}` becomes
 * `/%C3%A4/{pet%2Did}`.
 */
function toUriTemplate(template: string): string {
  const parts = template.toWellFormed().split(/(\{[^{}]*\})/);
  return parts
    .map((part, index) => {
      if (index % 2 === 0) return part.replaceAll(/[^\w.%~!$&()*+,;=:@/?#-]/gu, percentEncode);
      return `{${part.slice(1, -1).replaceAll(/[^\w.%]/gu, percentEncode)}}`;
    })
    .join("");
}

function percentEncode(character: string): string {
  return [...Buffer.from(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");
}
