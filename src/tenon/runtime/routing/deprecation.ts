import { isReplacementUrl, showInstant } from "../../core/document/lifecycle.js";
import { HttpError } from "../errors/http-error.js";
import type { Operation } from "../../core/model/index.js";

export interface Deprecation {
  /** Headers of every response of the operation. */
  readonly headers: Readonly<Record<string, string>>;
  /** @throws {HttpError} `gone` from the sunset on. */
  assertNotGone(now: number): void;
}

/**
 * Creates the headers that announce the sunset date and the successor of a deprecated operation.
 * `Deprecation: @1795219200` (RFC 9745), `Sunset: Thu, 05 Dec 2030 00:00:00 GMT` (RFC 8594),
 * `Link: </v1/pets>; rel="successor-version"` (RFC 8288; the relation is of RFC 5829). The path of a
 * successor with parameters is not a URI, so it gets `Link-Template: "/v1/pets/{id}"; rel="successor-version"` (RFC 9652).
 */
export function createDeprecation(
  { lifecycle, successor: replacing }: Pick<Operation, "lifecycle" | "successor">,
  contractBase: string,
): Deprecation | undefined {
  if (lifecycle?.deprecated !== true) return undefined;
  const { since, sunset = Infinity, replacedBy = "" } = lifecycle;
  const own = replacing && `${replacing.basePaths?.[0] ?? contractBase}${replacing.path}`;
  const successor = own ?? (isReplacementUrl(replacedBy) ? replacedBy : undefined);
  const headers: Record<string, string> = {};
  if (since !== undefined) headers["Deprecation"] = `@${Math.floor(since / 1000)}`;
  if (sunset !== Infinity) headers["Sunset"] = new Date(sunset).toUTCString();
  if (successor !== undefined) {
    const target = toUriTemplate(successor);
    const relation = 'rel="successor-version"';
    if (target.includes("{")) headers["Link-Template"] = `"${target}"; ${relation}`;
    else headers["Link"] = `<${target}>; ${relation}`;
  }
  const replacement = successor === undefined ? "" : `; use ${successor}`;
  return {
    headers,
    assertNotGone(now) {
      if (now < sunset) return;
      throw new HttpError("gone", {
        message: `This operation was removed on ${showInstant(sunset)}${replacement}`,
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
  return [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");
}
