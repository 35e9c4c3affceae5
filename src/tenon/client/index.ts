import createFetchClient, { type Client } from "openapi-fetch";

export interface ClientOptions {
  /** Base address of the service, its version segment included: `https://petstore.example/v1`. */
  readonly baseUrl: string;
  /** Sent with every call as `Authorization: Bearer <apiKey>`. Default: none is sent. */
  readonly apiKey?: string;
  /** Default: the platform's `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Sent with every call. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A method for each HTTP method, typed by the contract: `client.GET("/pets", { params: { query: { limit: 10 } } })`. */
export type ContractClient<Paths extends object> = Client<Paths>;

/**
 * Creates a typed client. `Paths` is the `paths` interface of a generated types.ts; a generated client.ts already says so.
 * Calls resolve to `{ data, response }` or `{ error, response }` by status, and reject only when no response came.
 * The only file that touches openapi-fetch, whose maintenance has ended.
 */
export function createContractClient<Paths extends object>({
  baseUrl,
  apiKey,
  fetch,
  headers,
}: ClientOptions): ContractClient<Paths> {
  return createFetchClient<Paths>({
    baseUrl,
    ...(fetch && { fetch }),
    headers: { ...headers, ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }) },
  });
}
export type { $Read, $Write, Bytes, FilePart, Readable, Writable } from "./views.js";
