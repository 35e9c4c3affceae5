import type { WireRequest } from "../../../verify/messages/index.js";
import { type Failure, isForbiddenHeader } from "../../console/explain.js";

export type Outcome = Awaited<ReturnType<typeof send>>;

/** A response, and how long it took. */
export type Arrival = Exclude<Outcome, { readonly failure: Failure }>;

/** Longest part of a response that is read, in bytes. */
const MAX_BYTES = 20 * 1024 * 1024;

/** Longest time that a response may take, in seconds. */
const PATIENCE = 60;

/**
 * Sends a request to its origin and to no other: redirects are not followed, because they would get the key. Headers that the browser
 * does not let pages set are left out.
 * @param address The whole address, whose origin the reader chose.
 * @param cookies Sends the browser's own cookies, because the contract needs some.
 */
export async function send(wire: WireRequest, address: URL, signal: AbortSignal, cookies: boolean) {
  const blocked = new Set<string>();
  const onViolation = ({ effectiveDirective }: SecurityPolicyViolationEvent) => {
    blocked.add(effectiveDirective);
  };
  document.addEventListener("securitypolicyviolation", onViolation);
  const fail = (failure: Failure) => ({ failure });
  const patience = AbortSignal.timeout(PATIENCE * 1000);
  const start = performance.now();
  try {
    const response = await fetch(address, {
      method: wire.method,
      headers: wire.headers
        .filter(({ name }) => !isForbiddenHeader(name))
        .map(({ name, value }): [string, string] => [name, value]),
      ...(wire.body !== undefined && { body: wire.body }),
      redirect: "manual",
      credentials: cookies ? "same-origin" : "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.any([signal, patience]),
    });
    const headers = performance.now() - start;
    if (response.type === "opaqueredirect") return fail({ kind: "redirect" });
    const { body, isCut } = await read(response);
    return {
      status: response.status,
      statusText: response.statusText,
      /** Those that the page may see, by name in lower case. */
      headers: Object.fromEntries(response.headers),
      body,
      /** The response is longer than `body`. */
      isCut,
      isOwnOrigin: address.origin === location.origin,
      /** Milliseconds until the headers were received, and until all was. */
      times: { headers, end: performance.now() - start },
    };
  } catch {
    if (signal.aborted) return fail({ kind: "cancelled" });
    if (patience.aborted) return fail({ kind: "late", seconds: PATIENCE });
    // The event comes after the promise is rejected.
    await new Promise((resolve) => setTimeout(resolve));
    if (blocked.has("connect-src")) return fail({ kind: "blocked" });
    return fail({ kind: "silent", reachable: await isReachable(address) });
  } finally {
    document.removeEventListener("securitypolicyviolation", onViolation);
  }
}

async function read({ body }: Response) {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    chunks.push(part.value);
    size += part.value.length;
    if (size < MAX_BYTES) continue;
    await reader?.cancel();
    break;
  }
  return { body: new Uint8Array(await new Blob(chunks).arrayBuffer()), isCut: size >= MAX_BYTES };
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
