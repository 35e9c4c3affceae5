import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import { HttpError } from "../errors/http-error.js";

export interface HeadLimits {
  /** Bytes of the request target. */
  readonly target: number;
  /** Number of headers. */
  readonly headers: number;
}

/**
 * Finds problems that Node accepts and that must be refused: clients, proxies and this server could interpret such a request
 * differently.
 * @returns the error; undefined for a valid request.
 */
export function findHeadProblem(request: IncomingMessage, limits: HeadLimits): HttpError | undefined {
  const { httpVersion, url = "", rawHeaders, headers } = request;
  if (request.httpVersionMajor !== 1) return new HttpError("http_version_not_supported");
  const { hosts, contentTypes } = countSingle(rawHeaders);
  // RFC 9112, section 3.2. Node would use the first of several.
  if (hosts !== 1 && (hosts > 1 || httpVersion === "1.1"))
    return malformed(hosts === 0 ? "The Host header is missing" : "There is more than one Host header");
  if (headers.host !== undefined && !isHost(headers.host)) return malformed("The Host header is invalid");
  // Node would use the first, and a proxy or firewall in front the last (RFC 9110, section 5.3).
  if (contentTypes > 1) return malformed("There is more than one Content-Type header");
  const coding = headers["transfer-encoding"];
  // RFC 9112, section 6.1. Node decodes chunks, even below another coding; HTTP/1.0 has none.
  if (coding !== undefined && (httpVersion !== "1.1" || coding.toLowerCase() !== "chunked"))
    return malformed("Transfer-Encoding may only be chunked, and not in HTTP/1.0");
  // Node accepts a list that contains 100-continue. HTTP/1.0 has no expectations (RFC 9110, section 10.1.1).
  if (
    httpVersion === "1.1" &&
    headers.expect !== undefined &&
    headers.expect.toLowerCase() !== "100-continue"
  )
    return new HttpError("expectation_failed");
  if (!isReadable(url)) return malformed("The request target is not a URL");
  if (url.length > limits.target) return new HttpError("uri_too_long");
  if (rawHeaders.length > 2 * limits.headers) return new HttpError("headers_too_large");
  return undefined;
}

/**
 * Tests whether a request asks to switch protocols, which this server ignores (RFC 9110, section 7.8). Node then skips the rest of the
 * chunk of bytes, where a pipelined request may be: the connection must close.
 */
export function isUpgrade({ headers }: IncomingMessage): boolean {
  return Boolean(headers.upgrade) && /(?:^|,)\s*upgrade\s*(?:,|$)/i.test(headers.connection ?? "");
}

function malformed(message: string): HttpError {
  return new HttpError("malformed_request", { message });
}

/**
 * Counts headers that a request may have once, and of which Node keeps the first.
 * @param rawHeaders Names and values in turn.
 */
function countSingle(rawHeaders: readonly string[]) {
  let hosts = 0;
  let contentTypes = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1;
    else if (name?.length === 12 && name.toLowerCase() === "content-type") contentTypes += 1;
  }
  return { hosts, contentTypes };
}

/** RFC 9112, section 3.2, with the grammar of RFC 3986, section 3.2.2: a name or address with an optional port. It may be empty. */
function isHost(host: string): boolean {
  const [whole, address] =
    /^(?:\[([\dA-Fa-f:.]+)\]|(?:[\w\-.~!$&'()*+,;=]|%[\dA-Fa-f]{2})*)(?::\d*)?$/.exec(host) ?? [];
  return whole !== undefined && (address === undefined || isIPv6(address));
}

/**
 * Express responds to a target that it cannot parse with a page of its own, before any middleware. Only the absolute form can be
 * unparsable (RFC 9112, section 3.2.2). No form has a fragment: some proxies cut it off, and others pass it on.
 */
function isReadable(target: string): boolean {
  if (target.includes("#")) return false;
  return target.startsWith("/") || target === "*" || URL.canParse(target);
}
