import type { RequestHandler } from "express";

/** Headers of the runtime that browsers hide from scripts unless they are exposed. */
const OF_RUNTIME = [
  "Allow",
  "Deprecation",
  "Link",
  "Location",
  "Retry-After",
  "Sunset",
  "Tenon-Mock",
  "WWW-Authenticate",
];

/**
 * Allows pages of every origin to call the mock with credentials.
 * @param declared Names of the contract's response headers.
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function createCors(declared: readonly string[]): RequestHandler {
  const exposed = [...new Set([...OF_RUNTIME, ...declared])].join(", ");
  return (request, response, next) => {
    const { origin } = request.headers;
    if (origin === undefined) {
      next();
      return;
    }
    response.setHeader("Access-Control-Allow-Origin", origin);
    response.setHeader("Access-Control-Allow-Credentials", "true");
    response.setHeader("Vary", "Origin");
    const method = request.headers["access-control-request-method"];
    if (request.method !== "OPTIONS" || method === undefined) {
      response.setHeader("Access-Control-Expose-Headers", exposed);
      next();
      return;
    }
    response.setHeader("Access-Control-Allow-Methods", method);
    const headers = request.headers["access-control-request-headers"];
    if (headers !== undefined) response.setHeader("Access-Control-Allow-Headers", headers);
    response.statusCode = 204;
    response.end();
  };
}
