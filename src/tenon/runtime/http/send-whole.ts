import { IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { NullObject } from "../../core/document/null-object.js";
import { memoize } from "./memo.js";
import { hasNodesMethods, HEADERS, isKnownNode, type NodeResponse } from "./node-response.js";

/** Headers of a reply by name; a list is sent as several lines. */
export type ReplyHeaders = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

export interface WholeHead {
  readonly status: number;
  readonly headers: ReplyHeaders;
  /** Value of `Content-Type`. */
  readonly mediaType: string;
}

/**
 * Sends a response with a text body in one write, head and body together, with the bytes that Node would send. It skips half of
 * Node's work for a small response: validating each header, writing an empty text after the body to learn when it was sent, and
 * reading on from a request that has ended. (Node 26 has begun to skip it too.)
 *
 * @returns false for any special case. Then nothing was sent, and the caller sends the response with Node's API.
 */
export function sendWhole(
  response: ServerResponse,
  { status, headers, mediaType }: WholeHead,
  body: string,
): boolean {
  if (!isKnownNode || !hasNodesMethods(response)) return false;
  const known = response as unknown as NodeResponse;
  if (!isOrdinary(known)) return false;

  const set = (known[HEADERS] ??= new NullObject() as NonNullable<NodeResponse[typeof HEADERS]>);
  let head = toStatusLine(status);
  if (head === "") return false;
  // Faster than `for … in`, because Node keeps the headers in a dictionary.
  for (const key of Object.keys(set)) {
    const entry = set[key];
    if (entry === undefined || decidesMore(key)) return false;
    const value = entry[1];
    if (typeof value !== "string" || !isAscii(value)) return false;
    head += `${entry[0]}: ${value}\r\n`;
  }
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    const key = toKey(name);
    if (key === "" || set[key] !== undefined || typeof value === "object") return false;
    if (typeof value === "string" && !isAscii(value)) return false;
    head += `${name}: ${value}\r\n`;
  }
  if (set["content-type"] !== undefined || !isAscii(mediaType)) return false;
  const length = Buffer.byteLength(body);
  head += `Content-Type: ${mediaType}\r\nContent-Length: ${length}\r\nDate: ${toDate(Date.now())}\r\n${toKeepAlive(known._keepAliveTimeout)}\r\n`;

  // Later readers of the response, such as logs, find the sent status and headers.
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) set[toKey(name)] = [name, typeof value === "object" ? value : String(value)];
  }
  set["content-type"] = ["Content-Type", mediaType];
  set["content-length"] = ["Content-Length", length];
  known.statusCode = status;
  known.statusMessage = STATUS_CODES[status];
  known._contentLength = length;
  // A head that is written and not sent is what Node sends with the end, as latin1.
  known._header = head + (length === body.length ? body : Buffer.from(body).toString("latin1"));
  response.end();
  known._header = head;
  (response.req as NodeRequest)._dump = endUnread;
  return true;
}

function isOrdinary(known: NodeResponse): boolean {
  return (
    known._header === null &&
    !known.finished &&
    known._hasBody &&
    known.shouldKeepAlive &&
    known.sendDate &&
    !known.chunkedEncoding &&
    !known.strictContentLength &&
    !known.maxRequestsOnConnectionReached &&
    !known._expect_continue &&
    !known._removedConnection &&
    !known._removedContLen &&
    known._defaultKeepAlive &&
    !known._maxRequestsPerSocket &&
    known._trailer === "" &&
    known.statusMessage === undefined
  );
}

/** A request, and what Node keeps on it and does not document. */
interface NodeRequest extends IncomingMessage {
  _dumped?: boolean;
  readonly _readableState?: { readonly ended?: boolean; endEmitted?: boolean };
  /** Node calls it after the response when the request body was not read. */
  _dump?: () => void;
}

/**
 * Replaces `_dump` for a request that has no body, or whose body was read whole. Node would start its stream only to read nothing. The
 * request ends in the same state, except that it is not `destroyed`.
 */
function endUnread(this: NodeRequest): void {
  const state = this._readableState;
  const isOver = this._dumped === false && state?.ended === true && this.readableLength === 0;
  if (!isOver || LISTENED.some((event) => this.listenerCount(event) > 0)) {
    (IncomingMessage.prototype as NodeRequest)._dump?.call(this);
    return;
  }
  this._dumped = true;
  state.endEmitted = true;
}

const LISTENED = ["end", "close", "data", "readable"];

/** Headers that make Node decide something else, or that are written in other bytes. */
const DECIDING = new Set([
  "connection",
  "content-disposition",
  "content-length",
  "content-type",
  "date",
  "expect",
  "keep-alive",
  "set-cookie",
  "trailer",
  "transfer-encoding",
]);

function decidesMore(key: string): boolean {
  return DECIDING.has(key);
}

/** @returns the name in lower case; empty when Node must handle it. */
const toKey = memoize((name: string): string => {
  const key = name.toLowerCase();
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !decidesMore(key) ? key : "";
});

/** Anything else is Node's to refuse, or to write in bytes of its choice. */
function isAscii(value: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(value);
}

/** @returns the status line; empty for a status without a body. */
const statusLines = new Map<number, string>();

function toStatusLine(status: number): string {
  let line = statusLines.get(status);
  if (line === undefined) {
    const text = STATUS_CODES[status];
    line =
      text === undefined || status < 200 || status === 204 || status === 304
        ? ""
        : `HTTP/1.1 ${status} ${text}\r\n`;
    statusLines.set(status, line);
  }
  return line;
}

let second = 0;
let date = "";

function toDate(now: number): string {
  const current = Math.floor(now / 1000);
  if (current !== second) {
    second = current;
    date = new Date(now).toUTCString();
  }
  return date;
}

let timeout = -1;
let keepAlive = "";

function toKeepAlive(milliseconds: number): string {
  if (milliseconds !== timeout) {
    timeout = milliseconds;
    keepAlive =
      "Connection: keep-alive\r\n" +
      (milliseconds === 0 ? "" : `Keep-Alive: timeout=${Math.floor(milliseconds / 1000)}\r\n`);
  }
  return keepAlive;
}
