import { isLoopback } from "tenon/core/http";

/** The reason why there is no response, as far as a page can find out. */
export type Failure =
  | { readonly kind: "cancelled" }
  | { readonly kind: "late"; readonly seconds: number }
  /** The page's policy did not allow it. */
  | { readonly kind: "blocked" }
  | { readonly kind: "redirect" }
  /** The browser does not reveal the reason. */
  | { readonly kind: "silent"; readonly reachable: boolean };

/** A call's address and page. */
export interface Way {
  readonly address: URL;
  /** The page's: `https:`, `http:` or `file:`. */
  readonly protocol: string;
  /** The page's, as the browser sends it: "null" for a file. */
  readonly origin: string;
}

/** Explains why there is no response and what to do. The first sentence is the result. */
export function explainFailure(failure: Failure, { address, protocol, origin }: Way): string {
  const host = address.origin;
  switch (failure.kind) {
    case "cancelled":
      return "Cancelled. The service may have processed the request.";
    case "late":
      return `No response within ${failure.seconds} seconds. The service may have processed the request.`;
    case "blocked":
      return `This page may not call ${host}: its policy (Content-Security-Policy, connect-src) allows only the contract's servers and the origins that were chosen when the docs were generated.`;
    case "redirect":
      return `The service responded with a redirect, which is not followed: your key would be sent to its target. Browsers hide the target from pages; curl shows it.`;
    case "silent":
      break;
  }
  if (protocol === "https:" && address.protocol === "http:" && !isLoopback(address.hostname))
    return `The browser does not let a page that came by https call ${host} by http (mixed content). Open the page by http, or call the service by https.`;
  if (address.origin === origin)
    return `No response from ${host}, where this page came from. The service has stopped, or closed the connection.`;
  if (failure.reachable)
    return `${host} is there, but the browser hid its response from this page: the service does not allow calls from other origins (CORS). It has to respond with "Access-Control-Allow-Origin: ${origin}", also to the OPTIONS request that the browser sends first.${origin === "null" ? ' A page that was opened as a file has the origin "null".' : ""} curl does not need this.`;
  return `No response from ${host}. The service is not running there, its host name is unknown, or its certificate is not trusted.`;
}

/** Explains a status to the caller; undefined where the contract says enough. */
export function explainStatus(
  status: number,
  headers: Readonly<Record<string, string>>,
  now: number,
): string | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const after = headers["retry-after"];
  if (after === undefined) return undefined;
  const seconds = /^\d+$/.test(after) ? Number(after) : Math.ceil((Date.parse(after) - now) / 1000);
  if (!Number.isFinite(seconds)) return undefined;
  return seconds <= 0 ? "It can be sent again now." : `It can be sent again in ${seconds} s (Retry-After).`;
}
