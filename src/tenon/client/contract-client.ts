import type { HttpMethod } from "../core/http/methods.js";
import type { RetryOptions } from "./attempts.js";
import type { ReconnectOptions } from "./streams/reconnect.js";
import type { Pending, Result } from "./result.js";
import type { Readable, Sendable, Writable } from "./views.js";

/** An operation of a generated types.ts. */
export interface OperationTypes {
  readonly parameters: object;
  readonly requestBody?: { readonly content?: object } | undefined;
  readonly responses: object;
}

/**
 * Says if the contract has properties that are `readOnly` or `writeOnly`. In an `unmarked` contract, requests and responses have the
 * types of `types.ts` unchanged; in a `marked` one, the types are mapped by {@link Writable} and {@link Readable}.
 * @example
 * const marking: Marking = "unmarked";
 * const petstore: ContractClient<paths, typeof marking> = client;
 */
export type Marking = "marked" | "unmarked";

type PathsWith<Paths, Method extends HttpMethod> = {
  [Path in keyof Paths]: Method extends keyof Paths[Path] ? Path : never;
}[keyof Paths];

/** The methods of all paths. */
type MethodsOf<Paths> = { [Path in keyof Paths]: keyof Paths[Path] }[keyof Paths] & HttpMethod;

type At<Paths, Path, Method> = Path extends keyof Paths
  ? Method extends keyof Paths[Path]
    ? Paths[Path][Method] extends OperationTypes
      ? Paths[Path][Method]
      : never
    : never
  : never;

/** True when every member is optional. */
type AllOptional<Members> = Partial<Members> extends Members ? true : false;

type Params<Parameters> =
  AllOptional<Parameters> extends true
    ? { readonly params?: Sendable<Parameters> }
    : { readonly params: Sendable<Parameters> };

type Sent<Type, Marks extends Marking> = Sendable<Marks extends "marked" ? Writable<Type> : Type>;

type Body<Operation extends OperationTypes, Marks extends Marking> = [
  NonNullable<Operation["requestBody"]>,
] extends [never]
  ? { readonly body?: never }
  : undefined extends Operation["requestBody"]
    ? { readonly body?: never } | ContentBody<NonNullable<Operation["requestBody"]>, Marks>
    : ContentBody<NonNullable<Operation["requestBody"]>, Marks>;

type ContentBody<RequestBody, Marks extends Marking> = RequestBody extends { readonly content: infer Content }
  ? {
      [Name in keyof Content]: { readonly body: Sent<Content[Name], Marks> } & MediaTypeOf<
        Name,
        keyof Content
      >;
    }[keyof Content]
  : never;

/** `mediaType` is optional for the only media type and for `application/json`. A range requires a concrete media type. */
type MediaTypeOf<Name, All> = Name extends `${infer Type}/*${infer Suffix}`
  ? { readonly mediaType: `${Type extends "*" ? string : Type}/${string}${Suffix}` }
  : [Name, All] extends [All, Name] | ["application/json", unknown]
    ? { readonly mediaType?: Name }
    : { readonly mediaType: Name };

/**
 * The options of a call: the operation's parameters and body, the options of `fetch`, such as `headers` and `signal`, and `reconnect`.
 * With `parseAs: "stream"`, a response of bytes is a `ReadableStream` instead of a `Blob`.
 * @example
 * const options: CallOptions<operations["createPet"]> = {
 *   body: { name: "Rex", categoryId: 1 },
 *   signal: AbortSignal.timeout(5_000),
 * };
 * const result = await client.POST("/pets", options);
 */
export type CallOptions<Operation extends OperationTypes, Marks extends Marking = "unmarked"> = Params<
  Operation["parameters"]
> &
  Body<Operation, Marks> &
  FetchOptions;

/**
 * The options of a call by operation: `path`, `query`, `header`, `cookie`, `body` and `mediaType` as the contract declares them, beside
 * the options of `fetch`, such as `headers` and `signal`, and `reconnect`. `calls.ts` has the interface of each operation.
 * @example
 * const options: OperationOptions<generatedClient.ListPets> = {
 *   query: { limit: 5 },
 *   signal: AbortSignal.timeout(5_000),
 * };
 * const result = await client.listPets(options);
 */
export type OperationOptions<
  Operation extends OperationTypes,
  Marks extends Marking = "unmarked",
  As = undefined,
> = Sendable<Operation["parameters"]> & Body<Operation, Marks> & FetchOptions & { readonly parseAs?: As };

/**
 * The options of a call that do not depend on its operation: those of `fetch`, and of the client.
 * @example
 * const options: FetchOptions = { signal: AbortSignal.timeout(5_000), redirect: "error" };
 * const result = await client.listPets(options);
 */
export interface FetchOptions extends Omit<RequestInit, "body" | "method"> {
  readonly reconnect?: ReconnectOptions | false;
  readonly retry?: RetryOptions | false;
  /** Sends the requests of the call. Default: that of the client. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Milliseconds until the call rejects with a `CallTimeoutError`. */
  readonly timeout?: number | false;
}

/** Options are optional when none of their members is required. */
export type Rest<Options> = AllOptional<Options> extends true ? [options?: Options] : [options: Options];

/**
 * The responses of an operation as a call with a method receives them.
 * @example
 * type Found = Result<DeclaredResponses<operations["getPet"]["responses"], "get", "unmarked">>;
 * const found: Found = await client.GET("/pets/{petId}", { params: { path: { petId: 1 } } });
 */
export type DeclaredResponses<Responses, Method extends HttpMethod, Marks extends Marking> = {
  [Status in keyof Responses]: Method extends "head"
    ? { readonly content?: never }
    : Marks extends "marked"
      ? ReadableContent<Responses[Status]>
      : Responses[Status];
};

type ReadableContent<Declared> = Declared extends { readonly content: infer Content }
  ? { readonly content: { [Name in keyof Content]: Readable<Content[Name]> } }
  : Declared;

/** Bytes are a `Blob` unless they are parsed as a stream. */
export type ParsedAs<As, Responses> = As extends "stream"
  ? { [Status in keyof Responses]: StreamedContent<Responses[Status]> }
  : Responses;

type StreamedContent<Declared> = Declared extends { readonly content: infer Content }
  ? {
      content: {
        [Name in keyof Content]: Content[Name] extends Blob ? ReadableStream<Uint8Array> : Content[Name];
      };
    }
  : Declared;

/**
 * A client with one function per HTTP method, typed by the contract. `Paths` is the `paths` interface of a generated `types.ts`.
 * @example
 * const petstore: ContractClient<paths> = createClient({ baseUrl: "https://petstore.example/v1", apiKey: "key" });
 * const result = await petstore.GET("/pets", { params: { query: { limit: 10 } } });
 * if (result.status === 200) console.log(result.data.length);
 */
export type ContractClient<Paths, Marks extends Marking = "unmarked"> = {
  readonly [Method in MethodsOf<Paths> as Uppercase<Method>]: <
    Path extends PathsWith<Paths, Method>,
    As extends "stream" | undefined = undefined,
  >(
    path: Path,
    ...options: Rest<CallOptions<At<Paths, Path, Method>, Marks> & { readonly parseAs?: As }>
  ) => Pending<Result<ParsedAs<As, DeclaredResponses<At<Paths, Path, Method>["responses"], Method, Marks>>>>;
};
