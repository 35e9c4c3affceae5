import { OutgoingMessage, ServerResponse } from "node:http";

/** A header as Node keeps it under its name in lower case. `appendHeader` changes it in place. */
export type HeaderEntry = [name: string, value: string | number | readonly string[]];

/**
 * What Node keeps on a response and does not document, under the names that Node 20 to 26 have in common.
 * Nothing here is used unless {@link isKnownNode}.
 */
export interface NodeResponse {
  statusCode: number;
  statusMessage: string | undefined;
  readonly finished: boolean;
  /** The head as text; null until it is written. */
  _header: string | null;
  readonly _headerSent: boolean;
  _contentLength: number | null;
  readonly shouldKeepAlive: boolean;
  readonly sendDate: boolean;
  readonly chunkedEncoding: boolean;
  readonly strictContentLength: boolean;
  readonly maxRequestsOnConnectionReached: boolean;
  /** False for answers that have none, to HEAD for example. */
  readonly _hasBody: boolean;
  readonly _expect_continue: boolean;
  readonly _removedConnection: boolean;
  readonly _removedContLen: boolean;
  readonly _defaultKeepAlive: boolean;
  /** Milliseconds. */
  readonly _keepAliveTimeout: number;
  readonly _maxRequestsPerSocket?: number | null;
  readonly _trailer: string;
  /** The headers that were set; null when there are none. */
  [HEADERS]: Record<string, HeaderEntry> | null;
}

/** Where Node keeps the headers. */
export const HEADERS: unique symbol = (Object.getOwnPropertySymbols(new OutgoingMessage()).find(
  ({ description }) => description === "kOutHeaders",
) ?? Symbol("unknown")) as never;

/** Methods that a wrapper would be put around, and what the text of each has that only Node itself can call. */
const METHODS = {
  end: "_implicitHeader(",
  write: "write_(",
  writeHead: "_storeHeader(",
  setHeader: "validateHeaderName(",
  appendHeader: "validateHeaderName(",
  removeHeader: "kOutHeaders",
};
type Method = keyof typeof METHODS;

/** The methods as they are when this is loaded. */
const nodes = Object.fromEntries(
  (Object.keys(METHODS) as Method[]).map((name) => [
    name,
    Reflect.get(ServerResponse.prototype, name) as unknown,
  ]),
) as Readonly<Record<Method, unknown>>;

/** What a response is at first. */
const FRESH = {
  [HEADERS]: null,
  _header: null,
  _headerSent: false,
  _contentLength: null,
  finished: false,
  shouldKeepAlive: true,
  chunkedEncoding: false,
  strictContentLength: false,
  maxRequestsOnConnectionReached: false,
  _hasBody: true,
  _removedConnection: false,
  _removedContLen: false,
  _defaultKeepAlive: true,
  _keepAliveTimeout: 0,
  _trailer: "",
} satisfies Partial<NodeResponse>;

/**
 * Whether Node's response is what this code was written for, and nothing has wrapped its methods, as tools that watch a
 * service do: such a wrapper must see each answer.
 */
export const isKnownNode =
  Object.entries(METHODS).every(([name, internal]) => String(nodes[name as Method]).includes(internal)) &&
  isFresh(new OutgoingMessage());

/** Whether a response's methods are Node's: middleware that compresses, for example, puts its own in their place. */
export function hasNodesMethods(response: ServerResponse): boolean {
  return (
    response.end === nodes.end &&
    response.write === nodes.write &&
    response.writeHead === nodes.writeHead &&
    response.setHeader === nodes.setHeader &&
    response.appendHeader === nodes.appendHeader &&
    response.removeHeader === nodes.removeHeader
  );
}

function isFresh(message: object): boolean {
  return Reflect.ownKeys(FRESH).every((name) => Reflect.get(message, name) === Reflect.get(FRESH, name));
}
