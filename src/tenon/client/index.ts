import { assertGeneratedVersion } from "../core/version/index.js";
import { ADDITIONAL_METHODS, HTTP_METHODS } from "../core/http/methods.js";
import {
  findDelay,
  type Hooks,
  isIdempotent,
  isTemporary,
  makeIdempotencyKey,
  RetryBudget,
  type RetryOptions,
  startDeadline,
} from "./attempts.js";
import {
  type BareClient,
  bindCalls,
  type BoundCalls,
  type CallTable,
  listOperations,
  type Received,
  SEND,
  toResult,
} from "./calls.js";
import { type Connection, createConnect } from "./connect.js";
import type { ClientContract, ClientOperation } from "./contract.js";
import type { ContractClient, FetchOptions, Marking } from "./contract-client.js";
import { type Credential, CredentialRefresh, type SentCredentials } from "./credentials.js";
import { BrokenStreamError, discard, isStream } from "./streams/items.js";
import { nameOperation, toConnectionError } from "./operation-errors.js";
import { type ParameterValues, writeParameters } from "./parameters.js";
import { collectInBrowser, writeBody } from "./request-body.js";
import { type ReconnectOptions, sleep } from "./streams/reconnect.js";
import { readBody, UndeclaredStatusError, UnreadableBodyError } from "./response-body.js";
import type { ValidateResponse } from "./response-validation.js";
import { type AnyResult, toPending } from "./result.js";

export {
  type BareClient,
  type BoundCall,
  type BoundCalls,
  type Call,
  defineCall,
  type OperationCall,
} from "./calls.js";
export type {
  ClientContract,
  ClientOperation,
  CredentialPlace,
  EventKind,
  PartPositions,
  WrittenStyle,
} from "./contract.js";
export type {
  CallOptions,
  ContractClient,
  DeclaredResponses,
  FetchOptions,
  Marking,
  OperationOptions,
} from "./contract-client.js";
export { type Attempt, CallTimeoutError, type Hooks, type RetryOptions } from "./attempts.js";
export type { Credential, CredentialRequest, CredentialValue } from "./credentials.js";
export { ConnectionError } from "./operation-errors.js";
export { BrokenStreamError } from "./streams/items.js";
export { readBytes } from "./streams/download.js";
export { readParts, writeParts } from "./parts.js";
export { readItems } from "./streams/read-stream.js";
export { writeContent } from "./request-body.js";
export type { ReconnectAttempt, ReconnectOptions } from "./streams/reconnect.js";
export { UndeclaredStatusError, UnreadableBodyError } from "./response-body.js";
export {
  InvalidResponseError,
  type ResponseValidators,
  type ValidateResponse,
  validateResponses,
} from "./response-validation.js";
export { type BoundPagedCall, definePagedCall, type PagedCall, PaginationError } from "./pages.js";
export { type Failure, type Pending, ResponseError, type Result, type Success } from "./result.js";
export { fetchWithProgress, type UploadProgress } from "./upload/fetch-with-progress.js";
export type { $Read, $Write, Bytes, FilePart, Readable, Sendable, Writable } from "./views.js";

/**
 * The options of a client. `Scheme` is a union of the names of the contract's security schemes.
 * @example
 * const options: ClientOptions<"bearerAuth"> = {
 *   baseUrl: "https://petstore.example/v1",
 *   apiKey: process.env["PETSTORE_KEY"] ?? "",
 *   headers: { "User-Agent": "reports/1.0" },
 * };
 * const petstore = createClient(options);
 */
export interface ClientOptions<Scheme extends string = string> extends Hooks {
  /** Base URL of the service, including its version segment: `https://petstore.example/v1`. */
  readonly baseUrl: string;
  /** Credential of the first security scheme that the contract declares. Default: none. */
  readonly apiKey?: [Scheme] extends [never] ? never : Credential;
  /**
   * Credentials by security scheme. They take precedence over `apiKey`. Each call sends the ones that its operation requires.
   * Browsers do not let a page set the `Cookie` header. A call whose credential has a header of its own, such as `X-Api-Key`, rejects
   * redirects, which would take it to other hosts; the option `redirect` of the call takes precedence. Default: none.
   */
  readonly credentials?: Readonly<Partial<Record<Scheme, Credential>>>;
  /** Default: the platform's `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Headers of every call. A call's own headers take precedence. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * How event streams and downloads that break are continued, for GET and for operations that declare `Last-Event-ID`; `false` leaves
   * that to the caller. A call's own option takes precedence. Default: the defaults of {@link ReconnectOptions}.
   */
  readonly reconnect?: ReconnectOptions | false;
  /**
   * How calls are repeated that got no response, or 408, 425, 429, 502, 503 or 504: calls with a safe or idempotent method, and calls of
   * operations that declare `Idempotency-Key`; never with a stream as the body. `false` repeats none. A call's own option takes
   * precedence. Default: the defaults of {@link RetryOptions}.
   */
  readonly retry?: RetryOptions | false;
  /**
   * Milliseconds until a call rejects with a {@link CallTimeoutError}, with all its attempts; for items, until the first can be read.
   * A call's own option takes precedence. Default: `false`, no limit.
   */
  readonly timeout?: number | false;
  /**
   * Validates the result of each call: {@link validateResponses} with the generated `responses`. What it throws is what the call
   * rejects with. Default: no response is validated.
   */
  readonly validate?: ValidateResponse;
  /**
   * Maximum size of a body that is read as a whole and of a part, in bytes, and of an item of a stream, in characters: a service can make
   * the client use this much memory. A file that is read with `parseAs: "stream"` has no limit. Default: 67,108,864 (64 MiB).
   */
  readonly maxBody?: number;
}

/**
 * Creates a typed client with all operations. The generated `client.ts` calls this function with the types and data of its contract.
 *
 * A call resolves to a declared response. It rejects with an {@link UndeclaredStatusError} or {@link UnreadableBodyError} when the
 * response is not declared, with an {@link InvalidResponseError} when `validate` finds one, with a `TypeError` when a value cannot be
 * sent, and with a {@link ConnectionError} when no response arrives. Each error names the operation.
 * @param calls The module of the contract's calls, or an object with a module per group.
 * @throws {Error} when the contract was generated for another version of Tenon.
 * @throws {TypeError} when `apiKey` is given and the contract has no security scheme.
 * @example
 * const contract: ClientContract = { tenon: "0.1", securitySchemes: {}, security: [] };
 * const listPets = defineCall<operations["listPets"], "get">({
 *   id: "listPets",
 *   method: "get",
 *   path: "/pets",
 *   responses: [200, 400, 401],
 * });
 * const calls = { listPets };
 * const petstore = createContractClient<Pick<paths, "/pets">, typeof calls>(contract, calls, {
 *   baseUrl: "https://petstore.example/v1",
 * });
 * const { data } = await petstore.listPets({ query: { limit: 10 } });
 */
export function createContractClient<
  Paths extends object,
  Calls extends object = object,
  Marks extends Marking = "unmarked",
>(
  contract: ClientContract,
  calls: Calls,
  options: ClientOptions,
): BareClient & BoundCalls<Calls> & ContractClient<Paths, Marks> {
  const bare = createBareContractClient(contract, options);
  const table = calls as CallTable;
  const operations = new Map(
    listOperations(table).map((operation) => [`${operation.method} ${operation.path}`, operation]),
  );
  const methods = [...HTTP_METHODS, ...ADDITIONAL_METHODS].map((method) => [
    method.toUpperCase(),
    (path: string, { params, ...init }: CallInit & { readonly params?: ParameterValues } = {}) => {
      const operation = operations.get(`${method} ${path}`);
      const label = `${method.toUpperCase()} ${path}`;
      const sent =
        operation === undefined
          ? Promise.reject<AnyResult>(new TypeError(`The contract has no ${label}`))
          : toResult(bare[SEND](operation, { ...params, ...init }));
      return toPending(operation?.id ?? label, sent);
    },
  ]);
  return Object.freeze({
    ...bindCalls(table, bare),
    ...(Object.fromEntries(methods) as ContractClient<Paths, Marks>),
    ...bare,
  }) as BareClient & BoundCalls<Calls> & ContractClient<Paths, Marks>;
}

/**
 * Creates a client for functions by operation. The generated `client.ts` calls this function with the data of its contract.
 * @throws {Error} when the contract was generated for another version of Tenon.
 * @throws {TypeError} when `apiKey` is given and the contract has no security scheme.
 * @example
 * const contract: ClientContract = { tenon: "0.1", securitySchemes: {}, security: [] };
 * const bare: BareClient = createBareContractClient(contract, { baseUrl: "https://petstore.example/v1" });
 * const pets = await generatedClient.listPets(bare).orThrow();
 */
export function createBareContractClient(contract: ClientContract, options: ClientOptions): BareClient {
  const { apiKey, credentials, maxBody = 67_108_864 } = options;
  assertGeneratedVersion(contract.tenon);
  const [firstScheme] = Object.keys(contract.securitySchemes);
  if (apiKey !== undefined && firstScheme === undefined)
    throw new TypeError("`apiKey` is not allowed: the contract has no security scheme");
  const held = { ...(apiKey !== undefined && { [firstScheme ?? ""]: apiKey }), ...credentials };

  const connect = createConnect(contract, options, held);
  const refresh = new CredentialRefresh(held);
  const budget = new RetryBudget();

  async function send(operation: ClientOperation, call: CallInit = {}, target?: string): Promise<Received> {
    const { path, query, querystring, header, cookie, body, mediaType, ...rest } = call;
    const { reconnect = options.reconnect ?? {}, retry = options.retry ?? {}, ...others } = rest;
    const { timeout = options.timeout, signal, parseAs, ...init } = others;
    const { method, idempotencyKey, resumes = false } = operation;
    const parameters = { path, query, querystring, header, cookie };
    const { written, own } = nameOperation(operation.id, () => ({
      written: writeParameters(operation.path, parameters, operation),
      own: writeBody(body, mediaType, operation),
    }));
    const content = await collectInBrowser(own, body);
    const canSendAgain = !(content.body instanceof ReadableStream);
    const canContinue = canSendAgain && (method === "get" || resumes) && reconnect !== false;
    const canRetry = canSendAgain && (isIdempotent(operation) || idempotencyKey !== undefined);
    const key = canRetry && retry !== false && idempotencyKey && makeIdempotencyKey(idempotencyKey);
    const deadline = startDeadline(timeout, signal ?? undefined, operation.id);
    let failed = 0;
    const findWait = (response?: Response): number | undefined => {
      if (!canRetry || retry === false || (response && !isTemporary(response))) return undefined;
      const delay = findDelay(failed + 1, response, retry);
      return delay !== undefined && delay < deadline.left() && budget.take() ? delay : undefined;
    };
    const finish = async (response: Response, connection: Connection): Promise<AnyResult> => {
      const stream = {
        operationId: operation.id,
        signal: deadline.signal,
        maxBody,
        reconnect: canContinue ? reconnect : undefined,
        connect: async (further: Readonly<Record<string, string>>) => {
          const again = await connect({ ...connection, further });
          if (again.response === undefined) throw again.error;
          return again.response;
        },
      };
      const read = await readBody(response, method, operation, stream, parseAs);
      const { status, ok } = response;
      return ok ? { status, data: read, response } : { status, error: read, response };
    };

    let isStreaming = false;
    let fresh: SentCredentials["values"] | undefined;
    try {
      for (let attempt = 1; ; attempt += 1) {
        const connection = { operation, written, target, content, init, attempt, fresh, key, deadline };
        const { response, error, url, values } = await connect(connection);
        if (response === undefined) deadline.signal?.throwIfAborted();
        else if (response.status === 401 && canSendAgain) {
          if (fresh !== undefined) refresh.forget(fresh);
          fresh = fresh === undefined ? await refresh.refresh(values) : undefined;
          if (fresh !== undefined) {
            discard(response);
            continue;
          }
        }
        let wait = findWait(response);
        if (response !== undefined && wait === undefined) {
          try {
            const result = await finish(response, connection);
            isStreaming = isStream(result.data ?? result.error);
            if (!isTemporary(response)) budget.earn();
            return { result, url };
          } catch (thrown) {
            deadline.signal?.throwIfAborted();
            const isRead = READ_ERRORS.some((type) => thrown instanceof type);
            wait = isRead ? undefined : findWait();
            if (wait === undefined) throw toConnectionError(operation.id, thrown);
          }
        }
        if (wait === undefined) throw toConnectionError(operation.id, error);
        failed += 1;
        if (response !== undefined) discard(response);
        await sleep(wait, deadline.signal);
      }
    } finally {
      deadline.end();
      // The response is read or lost: what is left of the request body is not needed. `fetch` itself does not end the iteration.
      if (!isStreaming) content.end?.();
    }
  }

  return {
    [SEND]: async (...call) => {
      const received = await send(...call);
      await options.validate?.(call[0], received.result);
      return received;
    },
  };
}

/** Errors of a response whose body was read, or was not continued. */
const READ_ERRORS = [BrokenStreamError, UndeclaredStatusError, UnreadableBodyError];

type CallInit = ParameterValues &
  FetchOptions & { readonly body?: unknown; readonly mediaType?: string; readonly parseAs?: "stream" };
