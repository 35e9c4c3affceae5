import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { ReplyHeaders } from "../http/send-whole.js";

declare const operation: unique symbol;

/** The content of a response: a value that is sent as JSON, or text or bytes that are sent unchanged. */
export interface ReplyContent {
  readonly mediaType: string;
  readonly kind: "json" | "text" | "binary" | "items";
  /** `json`: any value; `text`: a string; `binary`: a `Uint8Array`, a `Readable` or a {@link ByteSource}; `items`: an iterable. */
  readonly body: unknown;
}

/** JSON is UTF-8 by definition (RFC 8259); text of a type that does not say so could be taken for another charset. */
export function toContentType({ kind, mediaType }: ReplyContent): string {
  return kind === "text" && !/;\s*charset=/i.test(mediaType) ? `${mediaType}; charset=utf-8` : mediaType;
}

/**
 * The first and the last byte of a part, counted from 0, as `createReadStream` takes them.
 * @example
 * const head: ByteRange = { start: 0, end: 99 };
 * const stream = createReadStream("film.mp4", head);
 */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Bytes of a known length that can be read in parts. A reply with them has a `Content-Length`. If the contract declares the status 206,
 * the runtime sends the part that a `Range` header asks for, or responds 416.
 * @example
 * const toSource = async (path: string): Promise<ByteSource> => ({
 *   length: (await stat(path)).size,
 *   read: (range) => createReadStream(path, range),
 * });
 */
export interface ByteSource {
  readonly length: number;
  /** Opens a part. It is not called when there are no bytes to send. */
  readonly read: (range: ByteRange) => Readable;
}

/** Tests for a {@link ByteSource}. */
export function isByteSource(body: unknown): body is ByteSource {
  const { length, read } = (body ?? {}) as Partial<ByteSource>;
  return typeof length === "number" && typeof read === "function";
}

/** Tests for a `Readable` of Node. It has no import of Node's streams, so that it runs in browsers, too. */
export function isReadable(body: unknown): body is Readable {
  return typeof body === "object" && body !== null && "readableFlowing" in body && "destroy" in body;
}

/**
 * A declared response of the operation `Id`. Handlers create it with the `reply` methods and return it. The brand makes
 * another operation's reply a compile error.
 * @example
 * const getPet: Handlers<object, Principals>["getPet"] = async ({ path }, reply): Promise<Reply<"getPet">> => {
 *   const pet = await store.find(path.petId);
 *   if (pet === undefined) return reply[404]({ code: "pet_not_found", message: "No such pet", status: 404 });
 *   return reply[200](pet);
 * };
 */
export class Reply<Id extends string> {
  declare readonly [operation]: Id;

  constructor(
    readonly operationId: Id,
    readonly status: number,
    readonly content: ReplyContent | undefined,
    readonly headers: ReplyHeaders,
  ) {}
}

/**
 * Sends a response with Node's API. Deprecation headers are already set. The promise may resolve before the response has ended.
 * @example
 * const sendFile: RawSend = (response) => {
 *   response.writeHead(200, { "Content-Type": "application/json" }).end("[]");
 * };
 * const listPets: Handlers<object, Principals>["listPets"] = (_request, reply) => reply.raw(sendFile);
 */
export type RawSend = (response: ServerResponse) => void | Promise<void>;

/** A response that a handler sends with Node's API. It is not validated, and the fields of {@link Reply} have no meaning. */
export class RawReply<Id extends string> extends Reply<Id> {
  constructor(
    operationId: Id,
    readonly send: RawSend,
  ) {
    super(operationId, 200, undefined, {});
  }
}

/**
 * The reply method of every operation for responses that the contract cannot describe.
 * @example
 * const listPets: Handlers<object, Principals>["listPets"] = (_request, reply: RawReplies<"listPets">) =>
 *   reply.raw((response) => {
 *     response.writeHead(200, { "Content-Type": "application/x-ndjson" }).end('{"id":1}\n');
 *   });
 */
export interface RawReplies<Id extends string> {
  /** Sends a response that is not validated: `reply.raw((response) => { … })`. */
  raw(send: RawSend): Reply<Id>;
}

/**
 * The second argument of a reply method: the declared response headers.
 * @example
 * const options: ReplyOptions<{ readonly Link?: string }> = {
 *   headers: { Link: `<${basePath}/pets?cursor=abc>; rel="next"` },
 * };
 * const listPets: Handlers<object, Principals>["listPets"] = async (_request, reply) =>
 *   reply[200](await store.list(), options);
 */
export interface ReplyOptions<Headers> {
  readonly headers?: Headers;
}
