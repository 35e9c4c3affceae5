import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { Operation } from "../../core/model/index.js";
import { HttpError } from "../errors/http-error.js";
import type { ReplyHeaders } from "../http/send-whole.js";
import { type ByteRange, type ByteSource, isByteSource, Reply } from "../response/reply.js";

/** Tests whether `Range` headers apply to an operation: it declares 206 by its own code. */
export function hasRanges({ method, responses }: Operation): boolean {
  return method === "get" && responses.some(({ status }) => status === "206");
}

/**
 * Reduces a reply of bytes to the range that a request asks for, and opens its bytes. Several ranges in one request get the whole,
 * which HTTP allows.
 * @param openNothing Opens a stream without bytes, in place of those that are not sent.
 * @throws {HttpError} `range_not_satisfiable`
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-14
 */
export function applyRange(
  reply: Reply<string>,
  { method, headers }: Pick<IncomingMessage, "method" | "headers">,
  isOffered: boolean,
  openNothing: () => Readable,
): Reply<string> {
  const { operationId, status, content } = reply;
  const body = content?.body;
  if (content?.kind !== "binary" || !(isByteSource(body) || (isOffered && body instanceof Uint8Array)))
    return reply;
  const { length } = body;
  const whole = { start: 0, end: length - 1 };
  const isPartial = isOffered && status === 200;
  const isAsked = isPartial && method === "GET" && isCurrent(headers["if-range"], reply.headers);
  const range = isAsked ? parseRange(headers.range, length) : undefined;
  if (range !== undefined && range.start > range.end)
    throw HttpError.refusal("range_not_satisfiable", { headers: { "Content-Range": `bytes */${length}` } });
  const { start, end } = range ?? whole;
  const sent = {
    ...reply.headers,
    ...(isPartial && { "Accept-Ranges": "bytes" }),
    ...(range && { "Content-Range": `bytes ${start}-${end}/${length}` }),
    "Content-Length": end - start + 1,
  };
  return new Reply(operationId, range ? 206 : status, { ...content, body: open() }, sent);

  function open(): Uint8Array | Readable {
    if (body instanceof Uint8Array) return body.subarray(start, end + 1);
    return start > end || method === "HEAD" ? openNothing() : (body as ByteSource).read({ start, end });
  }
}

/**
 * Parses a `Range` header.
 * @returns undefined if it does not apply; a range whose start is after its end if no byte is in it.
 */
function parseRange(header: string | undefined, length: number): ByteRange | undefined {
  const [, first = "", last = ""] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? "") ?? [];
  if (first === "") {
    if (last === "" || (length === 0 && Number(last) > 0)) return undefined;
    return { start: Math.max(0, length - Number(last)), end: length - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return undefined;
  if (start >= length) return { start: length, end: length - 1 };
  return { start, end: last === "" ? length - 1 : Math.min(Number(last), length - 1) };
}

/** Tests whether the part that a client already has comes from the same bytes. A weak ETag does not say so. */
function isCurrent(ifRange: string | string[] | undefined, headers: ReplyHeaders): boolean {
  if (ifRange === undefined) return true;
  const name = String(ifRange).startsWith('"') ? "etag" : "last-modified";
  return Object.entries(headers).some(([key, value]) => key.toLowerCase() === name && value === ifRange);
}
