import { HttpError } from "./http-error.js";
import type { DeprecationDescriptor } from "./operation.js";

export interface Deprecation {
  /** Headers of every response of the operation. */
  readonly headers: Readonly<Record<string, string>>;
  /** @throws {HttpError} `gone` from the sunset on. */
  assertNotGone(now: number): void;
}

/**
 * Tells callers of a deprecated operation when it ends and what replaces it, long before it does.
 * `Deprecation: @1795219200` (RFC 9745), `Sunset: Thu, 05 Dec 2030 00:00:00 GMT` (RFC 8594),
 * `Link: </v1/pets>; rel="successor-version"` (RFC 5829).
 */
export function createDeprecation(descriptor: DeprecationDescriptor, basePath: string): Deprecation {
  const { since, sunset, successor } = descriptor;
  const sunsetTime = sunset === undefined ? Infinity : Date.parse(sunset);
  const headers: Record<string, string> = {};
  if (since !== undefined) headers["Deprecation"] = `@${Math.floor(Date.parse(since) / 1000)}`;
  if (sunset !== undefined) headers["Sunset"] = new Date(sunsetTime).toUTCString();
  if (successor !== undefined) headers["Link"] = `<${basePath}${successor}>; rel="successor-version"`;
  const replacement = successor === undefined ? "" : `; use ${basePath}${successor}`;
  return {
    headers,
    assertNotGone(now) {
      if (now < sunsetTime) return;
      throw new HttpError("gone", {
        message: `This operation was removed on ${new Date(sunsetTime).toISOString().slice(0, 10)}${replacement}`,
      });
    },
  };
}
