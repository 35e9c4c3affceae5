import type { ServerResponse } from "node:http";
import type { ReplyContent, ReplyHeaders } from "./reply.js";

export interface Answer {
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly content: ReplyContent | undefined;
}

/**
 * Writes an answer. `Link` and `Vary` are added to what is already there, other headers replace it.
 * Node leaves the body out of answers to HEAD and keeps `Content-Length`.
 */
export function respond(response: ServerResponse, { status, headers, content }: Answer): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    if (/^(link|vary)$/i.test(name)) response.appendHeader(name, toHeader(value));
    else response.setHeader(name, toHeader(value));
  }
  if (content === undefined) {
    // 204 and 304 have no length; anything else without a body says so (RFC 9110, section 8.6).
    if (status !== 204 && status !== 304) response.setHeader("Content-Length", 0);
    response.end();
    return;
  }
  const bytes = Buffer.from(JSON.stringify(content.body), "utf8");
  response.setHeader("Content-Type", content.mediaType);
  response.setHeader("Content-Length", bytes.byteLength);
  response.end(bytes);
}

function toHeader(value: string | number | readonly string[]): string | readonly string[] {
  return typeof value === "number" ? String(value) : value;
}
