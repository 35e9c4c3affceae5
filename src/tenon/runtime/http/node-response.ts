import { NullObject } from "../../core/document/null-object.js";
import { OutgoingMessage, ServerResponse, validateHeaderName, validateHeaderValue } from "node:http";

/** A header as Node keeps it under its name in lower case. `appendHeader` changes it in place. */
export type HeaderEntry = [name: string, value: string | number | readonly string[]];

/**
 * Undocumented members of Node's responses, under the names that Node 20 to 26 share.
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
  /** False for responses without a body, such as those to HEAD. */
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

/** The symbol under which Node stores the headers. */
export const HEADERS: unique symbol = (Object.getOwnPropertySymbols(new OutgoingMessage()).find(
  ({ description }) => description === "kOutHeaders",
) ?? Symbol("unknown")) as never;

/** Methods that monitoring tools wrap, each with a text that only Node's own version contains. */
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

/** The initial state of a response. */
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
 * True when Node's response class is one that this code supports and its methods are not wrapped. Monitoring tools wrap them, and
 * must see each response.
 */
export const isKnownNode =
  Object.entries(METHODS).every(([name, internal]) => String(nodes[name as Method]).includes(internal)) &&
  isFresh(new OutgoingMessage());

/** True when a response has Node's own methods. Middleware such as compression replaces them. */
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

/** Sets headers on a response. */
export type SetHeaders = (response: ServerResponse) => void;

/**
 * Headers that are the same in every response are validated once, not on each response as `setHeader` does.
 * @throws for a name or value that HTTP does not allow.
 */
export function createFixedHeaders(headers: Readonly<Record<string, string>>): SetHeaders {
  const entries = Object.entries(headers).map(([name, value]) => {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return { key: name.toLowerCase(), name, value };
  });
  if (entries.length === 0) return () => undefined;
  if (!isKnownNode)
    return (response) => {
      for (const { name, value } of entries) response.setHeader(name, value);
    };
  return (response) => {
    const known = response as unknown as NodeResponse;
    const set = (known[HEADERS] ??= new NullObject() as NonNullable<NodeResponse[typeof HEADERS]>);
    for (const { key, name, value } of entries) set[key] = [name, value];
  };
}
