import { formatJson } from "../../core/json/format-json.js";
import type { ReplyHeaders } from "../http/send-whole.js";
import { fromBinaryString } from "../http/binary-string.js";
import { endIteration, iterate, type WrittenItems } from "../response/items.js";
import { type ReplyContent, toContentType } from "../response/reply.js";
import { STREAM_HEADERS } from "../streams/stream-headers.js";

/** A response before it is sent. */
export interface ResponseParts {
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly content: ReplyContent | undefined;
}

/** Statuses that `Response` has no body with. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Creates the response that the Express middleware would send.
 * @param fixed Headers of every response of the operation; `Link` and `Vary` are appended to them.
 */
export function toFetchResponse(
  { status, headers, content }: ResponseParts,
  method: string,
  fixed: Readonly<Record<string, string>> = {},
): Response {
  const sent = new Headers(fixed);
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const [first = "", ...more] = typeof value === "object" ? value : [String(value)];
    if (/^(?:link|vary)$/i.test(name)) sent.append(name, first);
    else sent.set(name, first);
    for (const line of more) sent.append(name, line);
  }
  if (content !== undefined) sent.set("Content-Type", toContentType(content));
  const body = content && toBody(content, sent);
  if (typeof body === "object" && "getReader" in body) {
    const isHead = method === "HEAD";
    if (isHead) void body.cancel();
    return new Response(isHead ? null : body, { status, headers: sent });
  }
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  if (status !== 204 && status !== 304) sent.set("Content-Length", String(bytes?.byteLength ?? 0));
  const isEmpty = bytes === undefined || method === "HEAD" || BODILESS.has(status);
  return new Response(isEmpty ? null : (bytes as Uint8Array<ArrayBuffer>), { status, headers: sent });
}

/** @throws {TypeError} for a stream of Node. */
function toBody(
  { kind, body }: ReplyContent,
  headers: Headers,
): string | Uint8Array | ReadableStream<Uint8Array> {
  if (kind === "json") return formatJson(body);
  if (kind === "items") {
    const items = body as WrittenItems;
    for (const [name, value] of Object.entries(STREAM_HEADERS[items.format]))
      if (!headers.has(name)) headers.set(name, value);
    return toStream(items);
  }
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  throw new TypeError("The body of a reply must be text or a Uint8Array here: there are no streams of Node");
}

/** Writes items no faster than they are read, and ends the iteration with the stream. */
function toStream({ source, format, write, end }: WrittenItems): ReadableStream<Uint8Array> {
  const abort = new AbortController();
  const iterator = iterate(source, () => abort.signal);
  const encoder = new TextEncoder();
  const encode = format === "parts" ? fromBinaryString : (text: string) => encoder.encode(text);
  let index = 0;
  const cancel = (): void => {
    abort.abort();
    endIteration(iterator);
  };
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const next = await iterator.next();
          if (next.done === true) {
            const last = end(index);
            if (last !== "") controller.enqueue(encode(last));
            controller.close();
            return;
          }
          controller.enqueue(encode(write(next.value, index)));
          index += 1;
        } catch (error) {
          cancel();
          throw error;
        }
      },
      cancel,
    },
    // The first item is made when it is read, too.
    { highWaterMark: 0 },
  );
}
