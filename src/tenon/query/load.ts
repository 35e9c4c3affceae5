import { type BareClient, SEND } from "../client/calls.js";
import type { ClientOperation } from "../client/contract.js";
import { isStream } from "../client/streams/items.js";
import type { DeclaredResponses, Marking, OperationTypes } from "../client/contract-client.js";
import { type PageParam, readPage } from "../client/pages.js";
import { assertSuccess, type Result, type SuccessBody } from "../client/result.js";
import type { HttpMethod } from "../core/http/methods.js";

/** The body of the successful responses of an operation. */
export type BodyOf<
  Operation extends OperationTypes,
  Method extends HttpMethod,
  Marks extends Marking,
> = SuccessBody<Result<DeclaredResponses<Operation["responses"], Method, Marks>>>;

/** A body in a cache. Caches take `undefined` for "not loaded", so that a response without a body is `null`. */
export type Cached<Body> = undefined extends Body ? Exclude<Body, undefined> | null : Body;

/**
 * A page in a cache, which can be sent from a server to a browser as JSON.
 * @example
 * const page: Page<readonly Pet[]> = { data: [], next: null };
 */
export interface Page<Body> {
  /** The body of the response. */
  readonly data: Body;
  /** The value that leads to the next page; null on the last one. */
  readonly next: PageParam;
}

/** The options of a call that the functions here use. */
export interface Loading {
  readonly signal?: AbortSignal | null | undefined;
  readonly header?: object | undefined;
  readonly query?: Readonly<Record<string, unknown>>;
}

/**
 * Sends a call and returns the body.
 * @throws {ResponseError} for a response that is not successful.
 * @throws {TypeError} for a stream, which can be read once only.
 */
export async function load(
  client: BareClient,
  operation: ClientOperation,
  options: Loading | undefined,
  signal?: AbortSignal,
): Promise<unknown> {
  const { result } = await client[SEND](operation, withSignal(options, signal));
  const { data } = assertSuccess(operation.id, result);
  if (isStream(data))
    throw new TypeError(
      `The response of ${operation.id} is a stream, which cannot be cached: read it with the call itself`,
    );
  return data ?? null;
}

/** Sends the call of a page, with the errors of {@link load} and of the pages. */
export async function loadPage(
  client: BareClient,
  operation: ClientOperation,
  options: Loading | undefined,
  param: PageParam,
  signal?: AbortSignal,
): Promise<Page<unknown>> {
  const { result, findNext } = await readPage(client, operation, withSignal(options, signal), param);
  return { data: result.data, next: findNext() };
}

/** Adds a signal to that of the caller. */
function withSignal(options: Loading | undefined, signal: AbortSignal | undefined): Loading {
  const own = options?.signal ?? undefined;
  if (signal === undefined) return options ?? {};
  return { ...options, signal: own === undefined ? signal : AbortSignal.any([own, signal]) };
}
