import type { RequestHandler } from "express";

/** How long a browser may cache the result of a preflight request, in seconds. */
const MAX_AGE = 600;

/** Headers besides those that the contract declares. */
const ALLOWED_HEADERS = ["Authorization", "Content-Type", "X-Request-Id"];
const EXPOSED_HEADERS = ["Allow", "X-Request-Id"];

/**
 * Allows pages of these origins only to call the service and read its responses. The router still responds to OPTIONS, because
 * it knows the methods of each path. Cookies are not allowed: callers send an API key.
 * @param origins In the form that browsers send: `https://shop.example`, without a slash.
 * @param contract Declares the headers of requests and responses.
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function createCors(origins: readonly string[], contract: object): RequestHandler {
  const allowed: ReadonlySet<string> = new Set(origins);
  const { requests, responses } = findHeaders(contract);
  const allowHeaders = toList([...ALLOWED_HEADERS, ...requests]);
  const exposeHeaders = toList([...EXPOSED_HEADERS, ...responses]);
  return (request, response, next) => {
    const { origin } = request.headers;
    // For every origin: a cache must not mix up responses to allowed origins and to others.
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

/** Finds the names of all headers that a contract declares, anywhere in it. */
function findHeaders(contract: object): Headers {
  const [requests, responses] = [new Set<string>(), new Set<string>()];
  const { components } = contract as { components?: unknown };
  JSON.stringify(contract, function (this: unknown, key, value: unknown) {
    const { in: place, name } = (value ?? {}) as { in?: unknown; name?: unknown };
    if (place === "header" && typeof name === "string") requests.add(name);
    // The keys of components are the names of components.
    if (key === "headers" && this !== components)
      for (const header of Object.keys(value as object)) responses.add(header);
    return value;
  });
  return { requests: [...requests], responses: [...responses] };
}

function toList(names: readonly string[]): string {
  return [...new Set(names)].sort().join(", ");
}
