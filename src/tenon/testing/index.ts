import type { RequestListener } from "node:http";
import type { CallOptions, ClientOptions, Marking, Result } from "../client/index.js";
import type { HttpMethod, OperationDescriptor } from "../runtime/index.js";
import { createAnswerCheck } from "./answer-check.js";
import { createAppFetch } from "./app-fetch.js";

export { UndeclaredAnswerError } from "./answer-check.js";

/** What the generated server.ts and client.ts of a contract export. */
export interface TestedApi {
  readonly operations: readonly OperationDescriptor[];
  readonly contractUrl: URL;
  /** Path of the contract's servers: `/v1`, or empty. */
  readonly basePath: string;
  readonly createClient: (options: ClientOptions<never> & { readonly baseUrl: string }) => object;
}

/** As a client's, but for what the tester knows itself. */
export type TesterOptions = Pick<ClientOptions, "apiKey" | "credentials" | "headers">;

interface OperationTypes {
  readonly parameters: object;
  readonly requestBody?: { readonly content?: object } | undefined;
  readonly responses: object;
}

type Rest<Options> = Partial<Options> extends Options ? [options?: Options] : [options: Options];

/**
 * A function for each operation: `tester.getPet({ params: { path: { petId: 1 } } })` resolves to what the contract declares, as a
 * client's calls do. `Operations` is the `operations` interface of a generated types.ts.
 */
export type Tester<Operations, Marks extends Marking = "unmarked"> = {
  readonly [Id in keyof Operations]: Operations[Id] extends OperationTypes
    ? (...options: Rest<CallOptions<Operations[Id], Marks>>) => Promise<Result<Operations[Id]["responses"]>>
    : never;
};

/**
 * Calls the operations of an app by their names, in tests. A call rejects with an {@link UndeclaredAnswerError} when its answer is not
 * as the contract declares it: status, media type, body and headers.
 * @param app What `express()` returns, or any other listener; it is not listening yet.
 */
export function createTester<Operations extends object, Marks extends Marking = "unmarked">(
  app: RequestListener,
  { operations, contractUrl, basePath, createClient }: TestedApi,
  options: TesterOptions = {},
): Tester<Operations, Marks> {
  const check = createAnswerCheck(contractUrl, operations);
  const send = createAppFetch(app);
  const calls = operations.map((operation) => {
    const client = createClient({
      ...(options as object),
      baseUrl: `http://app${basePath}`,
      fetch: async (request: Request) => {
        const response = await send(request);
        await check(operation, request, response.clone());
        return response;
      },
    }) as Readonly<Record<Uppercase<HttpMethod>, Call>>;
    const method = operation.method.toUpperCase() as Uppercase<HttpMethod>;
    return [operation.id, (init?: object) => client[method](operation.path, init)] as const;
  });
  return Object.freeze(Object.fromEntries(calls)) as unknown as Tester<Operations, Marks>;
}

type Call = (path: string, options?: object) => Promise<unknown>;
