import type { RequestHandler } from "express";

/** How long, in seconds, a browser may remember what is allowed. */
const MAX_AGE = 600;

/** Besides what the contract declares. */
const REQUEST_HEADERS = ["Authorization", "Content-Type", "X-Request-Id"];
const RESPONSE_HEADERS = ["Allow", "X-Request-Id"];

/**
 * Lets pages of these origins, and of no others, call the service and read its answers. Whether a path has a method is
 * left to whoever answers OPTIONS. No cookies: a page that may call has a key of its own.
 * @param origins As browsers send them: `https://shop.example`, without a slash.
 * @param contract What declares headers of requests and responses.
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function createCors(origins: readonly string[], contract: object): RequestHandler {
  const allowed: ReadonlySet<string> = new Set(origins);
  const { requests, responses } = findHeaders(contract);
  const allowHeaders = toList([...REQUEST_HEADERS, ...requests]);
  const exposeHeaders = toList([...RESPONSE_HEADERS, ...responses]);
  return (request, response, next) => {
    const { origin } = request.headers;
    // Also for others: a cache must not give them what was for one of these, nor the other way round.
    response.vary("Origin");
    if (origin !== undefined && allowed.has(origin)) {
      response.setHeader("Access-Control-Allow-Origin", origin);
      response.setHeader("Access-Control-Expose-Headers", exposeHeaders);
      if (request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined) {
        response.setHeader("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE");
        response.setHeader("Access-Control-Allow-Headers", allowHeaders);
        response.setHeader("Access-Control-Max-Age", String(MAX_AGE));
      }
    }
    next();
  };
}

interface Headers {
  readonly requests: readonly string[];
  readonly responses: readonly string[];
}

/** Names of all headers that a contract declares, wherever in it. */
function findHeaders(contract: object): Headers {
  const [requests, responses] = [new Set<string>(), new Set<string>()];
  JSON.stringify(contract, (key, value: unknown) => {
    const { in: place, name } = (value ?? {}) as { in?: unknown; name?: unknown };
    if (place === "header" && typeof name === "string") requests.add(name);
    if (key === "headers") for (const header of Object.keys(value as object)) responses.add(header);
    return value;
  });
  return { requests: [...requests], responses: [...responses] };
}

function toList(names: readonly string[]): string {
  return [...new Set(names)].sort().join(", ");
}
