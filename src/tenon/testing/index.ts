import type { RequestListener } from "node:http";
import type { ClientOptions, DeclaredResponses, OperationOptions, Pending, Result } from "../client/index.js";
import type { HttpMethod, OperationDescriptor } from "../runtime/index.js";
import { readContract } from "../runtime/contract/contract.js";
import { createResponseCheck } from "./response-check.js";
import { createAppFetch } from "./app-fetch.js";

export { UndeclaredResponseError } from "./response-check.js";

/**
 * The exports of a contract's generated `server.ts` and `client.ts` that a tester needs.
 * @example
 * const api: TestedApi = { ...generatedServer, ...generatedClient };
 * const tester = createTester<operations>(app, api);
 */
export interface TestedApi {
  readonly operations: readonly OperationDescriptor[];
  readonly contractUrl: URL;
  /** Base path of the contract's servers: `/v1`, or empty. */
  readonly basePath: string;
  readonly createClient: (options: ClientOptions<never> & { readonly baseUrl: string }) => object;
}

/**
 * The options of a tester: the credentials and headers of every call.
 * @example
 * const options: TesterOptions = { apiKey: "test-key", headers: { "Accept-Language": "en" } };
 * const tester = createTester<operations>(app, { ...generatedServer, ...generatedClient }, options);
 */
export type TesterOptions = Pick<ClientOptions, "apiKey" | "credentials" | "headers">;

interface OperationTypes {
  readonly parameters: object;
  readonly requestBody?: { readonly content?: object } | undefined;
  readonly responses: object;
}

type Rest<Options> = Partial<Options> extends Options ? [options?: Options] : [options: Options];

/**
 * A function per operation, named by its `operationId`. It takes the options and resolves to the result of a client's call.
 * `Operations` is the `operations` interface of a generated `types.ts`.
 * @example
 * const tester: Tester<operations> = createTester<operations>(app, { ...generatedServer, ...generatedClient });
 * const result = await tester.createPet({ body: { name: "Rex", categoryId: 1 } });
 */
export type Tester<Operations> = {
  readonly [Id in keyof Operations]: Operations[Id] extends OperationTypes ? Call<Operations[Id]> : never;
};

/** Takes types without `readOnly` properties and resolves to types without `writeOnly` properties. */
type Call<Operation extends OperationTypes> = (
  ...options: Rest<OperationOptions<Operation, "marked">>
) => Pending<Result<DeclaredResponses<Operation["responses"], "get", "marked">>>;

/**
 * Creates a tester, which calls the operations of an app by name. A call rejects with an {@link UndeclaredResponseError} when the
 * status, media type, body or headers of the response do not match the contract.
 * @param app Result of `express()`, or another request listener, without a server.
 * @throws {Error} when the contract cannot be read, or has other operations than the generated code.
 * @example
 * const tester = createTester<operations>(app, { ...generatedServer, ...generatedClient }, { apiKey: "test-key" });
 * const { status, data } = await tester.getPet({ path: { petId: 1 } });
 * console.assert(status === 200 && data?.name === "Rex");
 */
export function createTester<Operations extends object>(
  app: RequestListener,
  { operations, contractUrl, basePath, createClient }: TestedApi,
  options: TesterOptions = {},
): Tester<Operations> {
  const contract = readContract(contractUrl, operations);
  const check = createResponseCheck(contract);
  const send = createAppFetch(app);
  const calls = contract.operations.map((operation) => {
    const client = createClient({
      ...(options as object),
      baseUrl: `http://app${basePath}`,
      // A test sees every response.
      retry: false,
      fetch: async (request: Request) => {
        const response = await send(request);
        await check(operation, request, response.clone());
        return response;
      },
    }) as Readonly<Record<Uppercase<HttpMethod>, Send>>;
    const method = operation.method.toUpperCase() as Uppercase<HttpMethod>;
    return [operation.id, (init?: object) => client[method](operation.path, init)] as const;
  });
  return Object.freeze(Object.fromEntries(calls)) as unknown as Tester<Operations>;
}

type Send = (path: string, options?: object) => Promise<unknown>;
