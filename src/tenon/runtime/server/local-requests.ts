import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { RequestHandler } from "express";
import { isLoopback } from "../../core/http/loopback.js";
import { HttpError } from "../errors/http-error.js";

/**
 * Options of {@link requireLocal}.
 * @example
 * app.use(requireLocal("127.0.0.1", { anyOrigin: true }));
 */
export interface LocalOptions {
  /** Does not check `Origin`, for a server that allows pages of other origins. Default: false. */
  readonly anyOrigin?: boolean;
}

const UNCHANGING = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Tests whether a request to a development server comes from this machine, or from a page of it. A page of another site can make
 * a browser send requests to `127.0.0.1`: from its own origin, or under its own name if its DNS returns that address (DNS rebinding).
 *
 * `Host` must be a loopback name, an IP address or the host that the server listens on. For methods that change state, `Origin`, if
 * any, must be a loopback name, that host, or the server's own origin.
 * @param host Host that the server listens on: `127.0.0.1`, `dev.example`.
 */
export function isLocalRequest(
  { headers, method = "" }: IncomingMessage,
  host: string,
  { anyOrigin = false }: LocalOptions = {},
): boolean {
  const { host: authority = "", origin } = headers;
  const named = toUrl(`http://${authority}`);
  if (named === undefined || !/^[^/?#@\\]+$/.test(authority)) return false;
  const isOwn = ({ hostname }: URL) => isLoopback(hostname) || hostname === toHostname(host);
  if (!isOwn(named) && isIP(named.hostname.replace(/^\[|\]$/g, "")) === 0) return false;
  if (anyOrigin || origin === undefined || UNCHANGING.has(method)) return true;
  const from = toUrl(origin);
  return from !== undefined && (isOwn(from) || from.host === named.host);
}

/**
 * Creates a middleware that responds with 403 unless {@link isLocalRequest}.
 * @example
 * app.use(requireLocal("127.0.0.1"));
 */
export function requireLocal(host: string, options?: LocalOptions): RequestHandler {
  return (request, _response, next) => {
    if (!isLocalRequest(request, host, options)) throw new HttpError("forbidden", { message: NOT_LOCAL });
    next();
  };
}

/** The message of the response to a request that is not local. */
export const NOT_LOCAL =
  "Host and Origin must be this machine: a development server refuses requests of other sites";

function toHostname(host: string): string | undefined {
  return toUrl(`http://${isIP(host) === 6 ? `[${host}]` : host}`)?.hostname;
}

function toUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
