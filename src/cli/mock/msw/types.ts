import type { Readable } from "node:stream";
import type { HttpHandler } from "msw";

/** The parts of the request that a resolver gets, with the types of the server's handlers. Bytes and streams are iterated. */
type RequestParts<Parts> = {
  readonly [Part in keyof Parts]: WithoutNode<Parts[Part]>;
};

type WithoutNode<Part> = Part extends Readable ? AsyncIterable<Uint8Array> : Part;

/**
 * The argument of a resolver: the validated request with its defaults, and the declared replies.
 * @example
 * const findPet = ({ path, reply }: ResolverCall<GetPetRequest, GetPetReplies>) =>
 *   path.petId === 7 ? reply[404]({ code: "pet_not_found", message: "No such pet", status: 404 }) : undefined;
 */
export type ResolverCall<Parts, Replies> = RequestParts<Parts> & {
  /** Creates each response that the operation declares: `reply[200]([])`. */
  readonly reply: Omit<Replies, "raw">;
  /** The request as it was sent. */
  readonly request: Request;
};

type MaybePromise<Type> = Type | Promise<Type>;

/**
 * Responds to the requests of an operation: with a declared reply, with a `Response` that is sent as it is, such as MSW's
 * `HttpResponse.error()`, or with the mock's usual response if it returns nothing.
 * @example
 * const listNone: Resolver<Handlers<object, Principals>["listPets"]> = ({ reply }) => reply[200]([]);
 * server.use(handlers.listPets(listNone));
 */
export type Resolver<Handler> = Handler extends (
  request: infer Parts,
  reply: infer Replies,
  ...rest: never
) => infer Result
  ? // eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a resolver may return nothing
    (call: ResolverCall<Parts, Replies>) => MaybePromise<Awaited<Result> | Response | undefined | void>
  : never;

/**
 * Options of one handler.
 * @example
 * server.use(handlers.listPets(undefined, { once: true, delay: 2_000 }));
 */
export interface ResolverOptions {
  /** Handles only the first request. Default: false. */
  readonly once?: boolean;
  /** Milliseconds before the response. Default: 0. */
  readonly delay?: number;
}

/**
 * MSW's handlers of a contract. There is a function for each operation, named by its `operationId`. To iterate it gives one handler
 * that responds to every operation.
 * @example
 * const handlers: MockHandlers<Handlers<object, Principals>> = createHandlers(contract);
 * const server = setupServer(...handlers);
 * server.use(handlers.listPets(({ reply }) => reply[200]([])));
 */
export type MockHandlers<Handlers> = {
  readonly [Id in keyof Handlers]: (
    resolver?: Resolver<Handlers[Id]>,
    options?: ResolverOptions,
  ) => HttpHandler;
} & Iterable<HttpHandler>;
