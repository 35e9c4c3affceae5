import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { formatJson } from "../../core/json/format-json.js";
import { type ReplyContent, toContentType } from "./reply.js";
import { type ReplyHeaders, sendWhole } from "../http/send-whole.js";
import { sendStream } from "../http/send-stream.js";
import { isCongested } from "../http/unsent-bytes.js";

export interface ResponseParts {
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly content: ReplyContent | undefined;
}

/** Size from which a response counts under the limit of unsent bytes, in bytes or UTF-16 code units. */
const LARGE = 65_536;

/**
 * Sends a response whose body is in memory. `Link` and `Vary` are appended to existing headers; other headers replace them.
 * Node omits the body in responses to HEAD and keeps `Content-Length`.
 */
export function respond(response: ServerResponse, parts: ResponseParts): void {
  send(response, parts, parts.content && toChunk(parts.content));
}

function send(response: ServerResponse, parts: ResponseParts, chunk: string | Uint8Array | undefined): void {
  const { status, headers, content } = parts;
  if (content === undefined || chunk === undefined) {
    setHead(response, parts);
    // 204 has no length, and 304 only that of another response; anything else without a body says so (RFC 9110, section 8.6).
    if (status === 204) response.removeHeader("Content-Length");
    else if (status !== 304) response.setHeader("Content-Length", 0);
    response.end();
    return;
  }
  if (
    typeof chunk === "string" &&
    sendWhole(response, { status, headers, mediaType: toContentType(content) }, chunk)
  )
    return;
  setHead(response, parts);
  response.setHeader("Content-Length", Buffer.byteLength(chunk));
  response.end(chunk);
}

/**
 * Sends the response of an operation, whose body may be a stream; see {@link respond}.
 * @returns a promise for a stream, which settles when it is sent or has failed; `congested` when nothing was sent, because the response
 *   to GET is large and too many bytes wait in memory.
 */
export function respondWhole(
  response: ServerResponse,
  parts: ResponseParts,
): Promise<void> | "congested" | undefined {
  const { content } = parts;
  if (content?.kind === "binary" && content.body instanceof Readable) {
    return sendStream(response, content.body, () => {
      setHead(response, parts);
    });
  }
  const chunk = content && toChunk(content);
  const { method, socket } = response.req;
  if (chunk !== undefined && chunk.length >= LARGE && method === "GET" && isCongested(socket))
    return "congested";
  send(response, parts, chunk);
  return undefined;
}

/** Sets the status and headers of a response. */
export function setHead(response: ServerResponse, { status, headers, content }: ResponseParts): void {
  response.statusCode = status;
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    // Node would send it beside Content-Length: receivers may read two different bodies (RFC 9112, section 6.1).
    if (/^transfer-encoding$/i.test(name))
      throw new TypeError("A reply cannot have the header Transfer-Encoding: the server decides it");
    if (name.length === 4 && response.hasHeader(name) && /^(link|vary)$/i.test(name))
      response.appendHeader(name, toHeader(value));
    else response.setHeader(name, toHeader(value));
  }
  if (content !== undefined) response.setHeader("Content-Type", toContentType(content));
}

/** Serializes a body. The result is text where possible, because Node writes text together with the head. */
export function toChunk({ kind, body }: ReplyContent): string | Uint8Array {
  return kind === "json" ? formatJson(body) : (body as string | Uint8Array);
}

function toHeader(value: string | number | boolean | readonly string[]): string | readonly string[] {
  return typeof value === "object" ? value : String(value);
}
