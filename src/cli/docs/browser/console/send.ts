import { findItemFormat } from "tenon/core/http";
import { explainFailure, type Failure } from "../../console/explain.js";
import { createItemReader } from "./items.js";

export type Outcome = Awaited<ReturnType<typeof send>>;

/** A response, and how long it took. */
export type Arrival = Exclude<Outcome, { readonly failure: Failure }>;

/** A request with the headers that the page sets. */
export interface PageRequest {
  readonly method: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body?: Uint8Array<ArrayBuffer>;
}

export interface SendOptions {
  /** Cancels the call, or ends a stream. */
  readonly signal: AbortSignal;
  /** Sends the browser's own cookies, because the contract needs some. Default: false. */
  readonly cookies?: boolean;
  /** Called when the headers of a stream have arrived. */
  readonly onStream?: () => void;
  /** Takes each item of a stream, and the milliseconds since the request. */
  readonly onItem?: (item: unknown, time: number) => void;
}

/** Longest part of a response that is read, in bytes. */
const MAX_BYTES = 20 * 1024 * 1024;

/** Longest time that a response may take, in seconds; a stream may take longer. */
const PATIENCE = 60;

/**
 * Sends a request to its origin and to no other: redirects are not followed, because they would get the key. Headers that the browser
 * does not let pages set are left out.
 * @param address The whole address, whose origin the reader chose.
 */
export async function send(request: PageRequest, address: URL, options: SendOptions) {
  const { signal, cookies = false, onStream, onItem } = options;
  const blocked = new Set<string>();
  const onViolation = ({ effectiveDirective }: SecurityPolicyViolationEvent) => {
    blocked.add(effectiveDirective);
  };
  document.addEventListener("securitypolicyviolation", onViolation);
  const fail = (failure: Failure) => ({ failure });
  const patience = new AbortController();
  const timer = setTimeout(() => {
    patience.abort();
  }, PATIENCE * 1000);
  const start = performance.now();
  try {
    const response = await fetch(address, {
      method: request.method,
      headers: request.headers.map(({ name, value }): [string, string] => [name, value]),
      ...(request.body !== undefined && { body: request.body }),
      redirect: "manual",
      credentials: cookies ? "same-origin" : "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.any([signal, patience.signal]),
    });
    const headers = performance.now() - start;
    if (response.type === "opaqueredirect") return fail({ kind: "redirect" });
    const found = findItemFormat(response.headers.get("content-type") ?? "");
    // Parts are shown as the text of the whole body.
    const format = found === "parts" ? undefined : found;
    const reader = format && createItemReader(format, (item) => onItem?.(item, performance.now() - start));
    if (format !== undefined) {
      clearTimeout(timer);
      onStream?.();
    }
    const read = await readBody(response, signal, (chunk) => reader?.push(chunk));
    if (read.end === "whole") reader?.end();
    // Without an end, a part of a body is of no use; the items of a stream are.
    if ((read.end === "lost" || read.end === "stopped") && format === undefined)
      throw new TypeError("The connection was lost");
    return {
      status: response.status,
      statusText: response.statusText,
      /** Those that the page may see, by name in lower case. */
      headers: Object.fromEntries(response.headers),
      ...read,
      // A stream that was stopped has no half item.
      ...(reader && read.end !== "whole" && { body: read.body.slice(0, reader.getLength()) }),
      isStream: format !== undefined,
      isOwnOrigin: address.origin === location.origin,
      /** Milliseconds until the headers were received, and until all was. */
      times: { headers, end: performance.now() - start },
    };
  } catch {
    if (signal.aborted) return fail({ kind: "cancelled" });
    if (patience.signal.aborted) return fail({ kind: "late", seconds: PATIENCE });
    // The event comes after the promise is rejected.
    await new Promise((resolve) => setTimeout(resolve));
    if (blocked.has("connect-src")) return fail({ kind: "blocked" });
    return fail({ kind: "silent", reachable: await isReachable(address) });
  } finally {
    clearTimeout(timer);
    document.removeEventListener("securitypolicyviolation", onViolation);
  }
}

/** Reads a body until its end, its limit (`cut`), until the reader stops it, or until the connection is lost. */
async function readBody({ body }: Response, signal: AbortSignal, onChunk: (chunk: Uint8Array) => void) {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let end: "whole" | "cut" | "stopped" | "lost" = "whole";
  const reader = body?.getReader();
  try {
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
      chunks.push(part.value);
      size += part.value.length;
      onChunk(part.value);
      if (size < MAX_BYTES) continue;
      end = "cut";
      await reader?.cancel();
      break;
    }
  } catch {
    end = signal.aborted ? "stopped" : "lost";
  }
  return { body: new Uint8Array(await new Blob(chunks).arrayBuffer()), end };
}

/** Tests whether browsers keep pages from setting a header: a request leaves it out. */
export function isForbiddenHeader(name: string): boolean {
  try {
    return !new Request("", { headers: { [name]: "" } }).headers.has(name);
  } catch {
    // It is not the name of a header.
    return false;
  }
}

/** Explains why there is no response. */
export function explain(failure: Failure, address: URL): string {
  const { protocol } = location;
  const origin = protocol === "file:" ? "null" : location.origin;
  return explainFailure(failure, { address, protocol, origin });
}

/** Tests whether anything responds there. The request has no key and no query, and no page can read its response. */
async function isReachable({ origin }: URL): Promise<boolean> {
  if (origin === location.origin) return false;
  try {
    await fetch(origin, {
      method: "HEAD",
      mode: "no-cors",
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(5000),
    });
    return true;
  } catch {
    return false;
  }
}
