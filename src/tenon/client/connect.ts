import { createFinalURL, mergeHeaders, removeTrailingSlash } from "openapi-fetch";
import type { Attempt, Deadline } from "./attempts.js";
import type { ClientContract, ClientOperation } from "./contract.js";
import type { FetchOptions } from "./contract-client.js";
import { type Credentials, type SentCredentials, writeCredentials } from "./credentials.js";
import type { ClientOptions } from "./index.js";
import { nameOperation } from "./operation-errors.js";
import type { WrittenParameters } from "./parameters.js";
import type { WrittenBody } from "./request-body.js";
import { orAborted } from "./streams/items.js";
import { toAccept } from "./response-body.js";

/**
 * Creates the function that sends one request.
 *
 * openapi-fetch is used only here, because its maintenance has ended, and only its functions for the URL and the headers: its client
 * would triple their size.
 */
export function createConnect(contract: ClientContract, options: ClientOptions, held: Credentials) {
  const { baseUrl, headers, fetch = fetchNow, onRequest, onResponse, onError } = options;
  const acceptsOwn = new Headers(headers).has("Accept");
  return connect;

  async function connect(
    connection: Connection & { readonly further?: Readonly<Record<string, string>> },
  ): Promise<Exchange> {
    const { operation, written, content, attempt, fresh, key, deadline, further } = connection;
    const { headers: own, fetch: ownFetch = fetch, ...init } = connection.init;
    const sent = await writeCredentials(operation, contract, held, fresh);
    const cookies = [...written.cookies, ...sent.cookies];
    const accept = acceptsOwn ? undefined : toAccept(operation);
    const ownUrl = removeTrailingSlash(toOwnUrl(baseUrl, contract.basePath, operation.basePath));
    const target =
      connection.target === undefined
        ? undefined
        : toPageUrl(operation.id, connection.target, ownUrl + written.path);
    const search =
      target === undefined
        ? [...written.query, ...sent.query].map((pair) => pair.join("=")).join("&")
        : toSearch(target, sent.query);
    // After a redirect to another host, `fetch` leaves out `Authorization` and `Cookie`, but not the header of an API key.
    const hasOwnHeader = sent.headers.some(([name]) => !/^authorization$/i.test(name));
    const url = createFinalURL(target?.pathname ?? written.path, {
      baseUrl: target?.origin ?? ownUrl,
      params: {},
      querySerializer: () => search,
      pathSerializer: (path) => path,
    });
    const createRequest = () =>
      new Request(url, {
        ...(hasOwnHeader && { redirect: "error" }),
        ...init,
        method: operation.method.toUpperCase(),
        ...(deadline.signal && { signal: deadline.signal }),
        ...(content.body instanceof ReadableStream && { duplex: "half" }),
        ...(content.body !== undefined && { body: content.body }),
        headers: mergeHeaders(
          headers,
          {
            Accept: accept,
            "Idempotency-Key": key === false ? undefined : key,
            ...Object.fromEntries([...written.headers, ...sent.headers]),
            Cookie: cookies.length > 0 ? cookies.map((pair) => pair.join("=")).join("; ") : undefined,
            "Content-Type": content.contentType,
          },
          new Headers(own),
          further,
        ),
      });
    const request = nameOperation(operation.id, createRequest);
    // `fetch` of a framework may have options of its own, such as `next`.
    for (const [name, value] of Object.entries(init))
      if (!(name in request)) Reflect.set(request, name, value);
    return {
      ...(await sendWithHooks({ operation, attempt, request }, { fetch: ownFetch, signal: deadline.signal })),
      values: sent.values,
    };
  }

  async function sendWithHooks(
    made: Attempt,
    { fetch, signal }: { readonly fetch: Fetch; readonly signal: AbortSignal | undefined },
  ): Promise<Omit<Exchange, "values">> {
    const request = (await onRequest?.(made)) ?? made.request;
    const sent = { ...made, request };
    const { url } = request;
    let response: Response;
    try {
      response = await orAborted(fetch(request), signal);
    } catch (error) {
      await onError?.({ ...sent, error });
      return { error, url };
    }
    return { response: (await onResponse?.({ ...sent, response })) ?? response, url };
  }
}

/**
 * Resolves the URL of the next page, which may come from a cache that the page's server has filled.
 * @throws {TypeError} for another origin, which would receive the credentials.
 */
function toPageUrl(id: string, target: string, first: string): URL {
  const base = new URL(
    first,
    (globalThis as { readonly location?: { readonly href: string } }).location?.href,
  );
  const url = new URL(target, base);
  if (url.origin === base.origin) return url;
  throw new TypeError(`The next page of ${id} is on ${url.origin}; expected ${base.origin}`);
}

/** The query of the next page, which may have the credentials of the page before. */
function toSearch({ search }: URL, credentials: SentCredentials["query"]): string {
  const names = new Set(credentials.map(([name]) => name));
  const own = search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && !names.has(pair.split("=", 1)[0] ?? ""));
  return [...own, ...credentials.map((pair) => pair.join("="))].join("&");
}

/** Replaces the contract's base path by that of an operation: `/v1` by `/files` in `https://petstore.example/v1`. */
function toOwnUrl(baseUrl: string, usual = "", own = usual): string {
  if (own === usual) return baseUrl;
  const trimmed = baseUrl.replace(/\/+$/, "");
  if (!trimmed.endsWith(usual)) return new URL(own, baseUrl).href;
  return `${trimmed.slice(0, trimmed.length - usual.length)}${own}` || "/";
}

type Fetch = (request: Request) => Promise<Response>;

/** The parts of one request of a call. */
export interface Connection {
  readonly operation: ClientOperation;
  readonly written: WrittenParameters;
  /** The next page: a query, or a path and a query, that replace those of the call. */
  readonly target: string | undefined;
  readonly content: WrittenBody;
  readonly init: Pick<FetchOptions, "headers" | "fetch">;
  readonly attempt: number;
  /** Credentials that replace rejected ones. */
  readonly fresh: SentCredentials["values"] | undefined;
  /** Value of `Idempotency-Key`, unless the caller has its own. */
  readonly key: string | false | undefined;
  readonly deadline: Deadline;
}

/** A request, and its response or error. */
interface Exchange {
  readonly url: string;
  /** Undefined if there was none. */
  readonly response?: Response;
  readonly error?: unknown;
  /** Credentials that it had from functions. */
  readonly values: SentCredentials["values"];
}

/** The global `fetch` when a request is sent: tools such as MSW replace it after clients were created. */
function fetchNow(request: Request): Promise<Response> {
  return globalThis.fetch(request);
}
