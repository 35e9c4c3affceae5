import createFetchClient from "openapi-fetch";
import type { ClientContract, HttpMethod } from "./contract.js";
import type { ContractClient, Marking } from "./contract-client.js";
import { type Credential, writeCredentials } from "./credentials.js";
import { type ParameterValues, writeParameters } from "./parameters.js";
import { writeBody } from "./request-body.js";
import { readBody } from "./response-body.js";

export type { ClientContract, ClientOperation, CredentialPlace, WrittenStyle } from "./contract.js";
export type { CallOptions, ContractClient, Marking } from "./contract-client.js";
export type { Credential, CredentialValue } from "./credentials.js";
export { UndeclaredStatusError, UnreadableBodyError } from "./response-body.js";
export type { Result } from "./result.js";
export type { $Read, $Write, Bytes, FilePart, Readable, Sendable, Writable } from "./views.js";

/** `Scheme` is the names of the contract's security schemes. */
export interface ClientOptions<Scheme extends string = string> {
  /** Base address of the service, its version segment included: `https://petstore.example/v1`. */
  readonly baseUrl: string;
  /** Credential of the first security scheme that the contract declares. Default: none. */
  readonly apiKey?: [Scheme] extends [never] ? never : Credential;
  /**
   * Credentials by security scheme; they win over `apiKey`. Each call sends those that the contract wants of its operation.
   * A browser does not let a page send cookies of its own making. Default: none.
   */
  readonly credentials?: Readonly<Partial<Record<Scheme, Credential>>>;
  /** Default: the platform's `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Sent with every call; a call's own win. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Creates a typed client; a generated client.ts calls this with its own types and contract.
 * Calls reject when no answer came, when it is none that the contract declares ({@link UndeclaredStatusError},
 * {@link UnreadableBodyError}), and with a TypeError for a value that cannot be sent: whatever they resolve to is as declared.
 * The only file that touches openapi-fetch, whose maintenance has ended: it makes and sends the request, no more.
 */
export function createContractClient<Paths extends object, Marks extends Marking = "unmarked">(
  contract: ClientContract,
  { baseUrl, apiKey, credentials, fetch = globalThis.fetch, headers }: ClientOptions,
): ContractClient<Paths, Marks> {
  const client = createFetchClient({ baseUrl, ...(headers && { headers }) }) as unknown as FetchClient;
  const [firstScheme] = Object.keys(contract.securitySchemes);
  if (apiKey !== undefined && firstScheme === undefined)
    throw new TypeError("The contract has no security scheme that would take the apiKey");
  const held = { ...(apiKey !== undefined && { [firstScheme ?? ""]: apiKey }), ...credentials };

  async function call(method: HttpMethod, path: string, options: CallInit = {}): Promise<unknown> {
    const { params = {}, body, mediaType, headers: own, ...init } = options;
    const operation = contract.operations[path]?.[method];
    if (operation === undefined) throw new TypeError(`The contract has no ${method.toUpperCase()} ${path}`);
    const written = writeParameters(path, params, operation);
    const sent = await writeCredentials(operation, contract, held);
    const content = writeBody(body, mediaType, operation);
    const cookies = [...written.cookies, ...sent.cookies];
    const search = [...written.query, ...sent.query].map((pair) => pair.join("=")).join("&");
    let response = new Response();
    await client.request(method, written.path, {
      ...init,
      ...(content.body instanceof ReadableStream && { duplex: "half" }),
      ...(content.body !== undefined && { body: content.body, bodySerializer: () => content.body }),
      headers: {
        ...Object.fromEntries([...written.headers, ...sent.headers]),
        ...(cookies.length > 0 && { Cookie: cookies.map((pair) => pair.join("=")).join("; ") }),
        ...(content.contentType !== undefined && { "Content-Type": content.contentType }),
        ...Object.fromEntries(new Headers(own)),
      },
      querySerializer: () => search,
      // What an answer holds is for the contract to say, so openapi-fetch gets one without a body.
      fetch: async (request: Request) => {
        response = await fetch(request);
        return new Response(null, { status: 204 });
      },
    });
    const { status, ok } = response;
    const read = await readBody(response, method, operation);
    return ok ? { status, data: read, response } : { status, error: read, response };
  }

  const methods = METHODS.map((method) => [
    method.toUpperCase(),
    (path: string, options?: CallInit) => call(method, path, options),
  ]);
  return Object.freeze(Object.fromEntries(methods)) as ContractClient<Paths, Marks>;
}

const METHODS: readonly HttpMethod[] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** What is used of openapi-fetch; its own types know less than a {@link ContractClient} does. */
interface FetchClient {
  request(method: HttpMethod, path: string, init: object): Promise<unknown>;
}

type CallInit = Omit<RequestInit, "body" | "method"> & {
  readonly params?: ParameterValues;
  readonly body?: unknown;
  readonly mediaType?: string;
};
