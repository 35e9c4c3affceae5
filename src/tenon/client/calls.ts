import type { HttpMethod } from "../core/http/methods.js";
import type { ClientOperation } from "./contract.js";
import type {
  DeclaredResponses,
  Marking,
  OperationOptions,
  OperationTypes,
  ParsedAs,
  Rest,
} from "./contract-client.js";
import type { BoundPagedCall, PagedCall } from "./pages.js";
import {
  type AnyResult,
  type Failure,
  type Pending,
  ResponseError,
  type Result,
  toPending,
} from "./result.js";

/** The member of every client that sends its calls. A symbol, because operations may have any name. */
export const SEND = /* @__PURE__ */ Symbol("send");

/**
 * A client for the functions that a generated `client.ts` exports. It has no operations itself, so that a bundle has only those that are
 * imported.
 * @example
 * const options = { baseUrl: "https://petstore.example/v1", apiKey: "key" };
 * const petstore: BareClient = generatedClient.createBareClient(options);
 * const pets = await generatedClient.listPets(petstore, { query: { limit: 5 } }).orThrow();
 */
export interface BareClient {
  readonly [SEND]: (
    operation: ClientOperation,
    options: object | undefined,
    /** The next page: a query, or a path and a query, that replace those of the call. */
    target?: string,
  ) => Promise<Received>;
}

/** The result of a call, and the URL of its request. */
export interface Received {
  readonly result: AnyResult;
  readonly url: string;
}

type ResultsOf<
  Operation extends OperationTypes,
  Method extends HttpMethod,
  Marks extends Marking,
  As = undefined,
> = Result<ParsedAs<As, DeclaredResponses<Operation["responses"], Method, Marks>>>;

/** The error of each unsuccessful result. */
type ErrorOf<Results> =
  Results extends Failure<infer Status, infer Body> ? ResponseError<Status, Body> : never;

declare const types: unique symbol;

/**
 * The members of a {@link Call} and of a {@link BoundCall}. Functions that take either have a parameter of this type.
 * @example
 * const printName = (call: OperationCall<operations["listPets"], "get">) => console.log(call.operation.id);
 * printName(generatedClient.listPets);
 * printName(client.listPets);
 */
export interface OperationCall<
  Operation extends OperationTypes,
  Method extends HttpMethod,
  Marks extends Marking = "unmarked",
> {
  /** Only for the compiler, which infers the operation of a call from it. */
  readonly [types]?: readonly [Operation, Method, Marks];
  /** The data of the operation. */
  readonly operation: ClientOperation;
  /** Tests whether an error comes from `orThrow()` of this operation. It then has the contract's types. */
  isError(error: unknown): error is ErrorOf<ResultsOf<Operation, Method, Marks>>;
}

/**
 * A function that calls an operation with a client.
 * @example
 * const call: Call<operations["listPets"], "get"> = generatedClient.listPets;
 * const pets = await call(client, { query: { limit: 5 } }).orThrow();
 */
export interface Call<
  Operation extends OperationTypes,
  Method extends HttpMethod,
  Marks extends Marking = "unmarked",
> extends OperationCall<Operation, Method, Marks> {
  <As extends "stream" | undefined = undefined>(
    client: BareClient,
    ...options: Rest<OperationOptions<Operation, Marks, As>>
  ): Pending<ResultsOf<Operation, Method, Marks, As>>;
}

/**
 * A {@link Call} as a member of a client.
 * @example
 * const list: BoundCall<operations["listPets"], "get"> = client.listPets;
 * const pets = await list({ query: { limit: 5 } }).orThrow();
 */
export interface BoundCall<
  Operation extends OperationTypes,
  Method extends HttpMethod,
  Marks extends Marking = "unmarked",
> extends OperationCall<Operation, Method, Marks> {
  <As extends "stream" | undefined = undefined>(
    ...options: Rest<OperationOptions<Operation, Marks, As>>
  ): Pending<ResultsOf<Operation, Method, Marks, As>>;
}

/**
 * The calls of a client, by name; by group and name if `Calls` has groups.
 * @example
 * type Calls = BoundCalls<Pick<typeof generatedClient, "listPets" | "getPet">>;
 * const calls: Calls = client;
 * const pet = await calls.getPet({ path: { petId: 7 } }).orThrow();
 */
export type BoundCalls<Calls> = {
  readonly [Name in keyof Calls]: Calls[Name] extends PagedCall<
    infer Operation,
    infer Method,
    infer Marks,
    infer Keys
  >
    ? BoundPagedCall<Operation, Method, Marks, Keys>
    : Calls[Name] extends Call<infer Operation, infer Method, infer Marks>
      ? BoundCall<Operation, Method, Marks>
      : BoundCalls<Calls[Name]>;
};

/**
 * Creates the function of an operation. The generated `calls.ts` has one for each.
 * @example
 * const listPets = defineCall<operations["listPets"], "get">({
 *   id: "listPets",
 *   method: "get",
 *   path: "/pets",
 *   responses: [200, 400, 401],
 * });
 * const pets = await listPets(client, { query: { limit: 5 } }).orThrow();
 */
export function defineCall<
  Operation extends OperationTypes,
  Method extends HttpMethod,
  Marks extends Marking = "unmarked",
>(operation: ClientOperation): Call<Operation, Method, Marks> {
  const call = (client: BareClient, options?: object) =>
    toPending(operation.id, toResult(client[SEND](operation, options)));
  const isError = (error: unknown) => error instanceof ResponseError && error.operationId === operation.id;
  return Object.assign(call, { operation, isError }) as unknown as Call<Operation, Method, Marks>;
}

/** Leaves out the URL. */
export async function toResult(received: Promise<Received>): Promise<AnyResult> {
  return (await received).result;
}

/** Any call at run time. */
interface AnyCall {
  (client: BareClient, options?: object): unknown;
  readonly operation: ClientOperation;
  readonly isError: (error: unknown) => boolean;
  /** Present if the operation has pages. */
  readonly items?: (client: BareClient, options?: object) => unknown;
  readonly pages?: (client: BareClient, options?: object) => unknown;
}

/** Calls by name, or groups of them. */
export interface CallTable {
  readonly [name: string]: AnyCall | CallTable;
}

/** Lists the operations of a table. */
export function listOperations(calls: CallTable): readonly ClientOperation[] {
  return Object.values(calls).flatMap((call) =>
    typeof call === "function" ? [call.operation] : listOperations(call),
  );
}

/** Binds every call of a table to a client. */
export function bindCalls(calls: CallTable, client: BareClient): object {
  const bound = Object.entries(calls).map(([name, call]) => [
    name,
    typeof call === "function" ? bindCall(call, client) : bindCalls(call, client),
  ]);
  return Object.freeze(Object.fromEntries(bound) as object);
}

function bindCall(call: AnyCall, client: BareClient): unknown {
  const { operation, isError, items, pages } = call;
  return Object.assign((options?: object) => call(client, options), {
    operation,
    isError,
    ...(items && { items: (options?: object) => items(client, options) }),
    ...(pages && { pages: (options?: object) => pages(client, options) }),
  });
}
