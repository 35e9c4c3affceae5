import { request as requestHttp, type RequestOptions } from "node:http";
import { request as requestHttps } from "node:https";
import { createCheckedLookup, isAllowed, parseReceiverUrl, type Resolve } from "./receiver-address.js";

/** One attempt to deliver an event. */
export interface EventPost {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface PostOptions {
  readonly allowed: ReadonlySet<string>;
  readonly resolve: Resolve;
  /** Milliseconds until the response has begun. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** The part of a response that counts: its body is not read. */
export interface PostResult {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/**
 * Sends a request once, and follows no redirect: its target was not checked.
 * @throws {RefusedAddressError} when the address must not be called; other errors when there is no response.
 */
export async function postEvent(
  { url: text, method, headers, body }: EventPost,
  { allowed, resolve, timeout, signal }: PostOptions,
): Promise<PostResult> {
  const url = parseReceiverUrl(text, allowed);
  const options: RequestOptions = {
    method: method.toUpperCase(),
    headers: { ...headers, "Content-Length": body.byteLength },
    // A connection of the agent might have been opened for another check.
    agent: false,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    ...(!isAllowed(url, allowed) && { lookup: createCheckedLookup(resolve) }),
  };
  return new Promise((done, fail) => {
    const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, options, (response) => {
      const { statusCode: status = 0, headers: received } = response;
      done({ status, retryAfter: received["retry-after"] });
      response.destroy();
    });
    // The response is complete, or the promise is settled.
    request.on("error", fail);
    // Node.js reports neither a response nor an error when it closes the connection after 101 (Switching Protocols).
    request.on("close", () => {
      fail(Object.assign(new Error("No response"), { code: "ECONNRESET" }));
    });
    request.end(body);
  });
}
