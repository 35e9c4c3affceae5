import type { Request, Response } from "express";
import type { Authenticators } from "../security/authentication.js";
import type { BodyLimits } from "../body/body.js";
import type { Observe } from "./observe.js";
import type { Formats } from "../validation/side-validator.js";
import type { MakeHandler } from "./route.js";

/**
 * How responses are validated. `enforce` replaces an undeclared response with a 500. `report` sends it and calls
 * `onResponseProblem`. `off` skips validation.
 * @example
 * const responseValidation: ResponseValidation = process.env["NODE_ENV"] === "production" ? "report" : "enforce";
 * app.use(createApi({ ...errors, handlers, authenticators, responseValidation }));
 */
export type ResponseValidation = "off" | "report" | "enforce";

/**
 * The treatment of members of a JSON response that its schema does not declare. `remove` leaves them out and reports them as
 * problems of the response, also if `responseValidation` is `off`. `send` sends them.
 *
 * An object is affected if its schema has `properties`. Members that `additionalProperties`, `patternProperties` or
 * `unevaluatedProperties` allow are declared. Of `oneOf`, `anyOf` and `if`, the schemas that the object matches count.
 * @example
 * const undeclaredProperties: UndeclaredProperties = "send";
 * app.use(createApi({ ...errors, handlers, authenticators, undeclaredProperties }));
 */
export type UndeclaredProperties = "remove" | "send";

/**
 * A response that does not match the contract. Each problem completes a sentence: `/id is required`, `/owner/key is not declared`.
 * @example
 * const onResponseProblem = ({ operationId, status, problems }: ResponseProblem) => {
 *   console.warn(`${operationId} sent an undeclared ${status}: ${problems.join("; ")}`);
 * };
 * app.use(createApi({ ...errors, handlers, authenticators, onResponseProblem }));
 */
export interface ResponseProblem {
  readonly operationId: string;
  readonly status: number;
  readonly problems: readonly string[];
  /** Index of the item that has the problems, in a stream of items. */
  readonly item?: number;
}

/**
 * The argument of the option `admit`: a request that passed authentication, or that the contract allows to be anonymous.
 * @example
 * const callsByKey = new Map<unknown, number>();
 * const admit = ({ auth }: Admission<Principals>) => {
 *   const calls = (callsByKey.get(auth?.bearerAuth) ?? 0) + 1;
 *   if (calls > 100) throw new HttpError("too_many_requests", { headers: { "Retry-After": "60" } });
 *   callsByKey.set(auth?.bearerAuth, calls);
 * };
 * app.use(createApi({ ...errors, handlers, authenticators, admit }));
 */
export interface Admission<Principals> {
  readonly operationId: string;
  /** Principals by security scheme, as handlers get them: only the schemes that the request satisfied. */
  readonly auth: Readonly<Partial<Principals>> | undefined;
  readonly request: Request;
  readonly response: Response;
}

/**
 * Limits of open streams of items.
 * @example
 * const streams: StreamLimits<Principals> = { max: 1_000, maxPerCaller: 5, toCaller: ({ auth }) => auth?.bearerAuth };
 * app.use(createApi({ ...errors, handlers, authenticators, streams }));
 */
export interface StreamLimits<Principals> {
  /** Maximum number of open streams in all; further requests get 503 with `Retry-After`. Default: unlimited. */
  readonly max?: number;
  /** Maximum number of open streams of a caller; further requests get 429 with `Retry-After`. Default: unlimited. */
  readonly maxPerCaller?: number;
  /**
   * Returns what identifies the caller, compared by `===`; undefined for a caller without a limit. Default: the IP address, for
   * which Express has the setting `trust proxy`.
   */
  readonly toCaller?: (admission: Admission<Principals>) => unknown;
}

/** Options of every API. */
export interface BaseOptions<Context, Principals> extends BodyLimits {
  readonly authenticators?: Authenticators<Principals>;
  /**
   * Called after authentication and before parameters and body are read. Throw an `HttpError` to refuse the request, for example
   * because of a rate limit. Headers set on `response` are sent with the response. Messages to `tenon/mcp` that call no operation count
   * too, as a request to one of those offered: there, only 429 and 503 refuse.
   */
  admit?(admission: Admission<Principals>): void | Promise<void>;
  /** Creates the handlers' third argument, once per request. */
  readonly context?: (request: Request, response: Response) => Context;
  /** Default: `enforce`. */
  readonly responseValidation?: ResponseValidation;
  /** Validates one in N responses, for services where validating all is too expensive. Default: 1, which validates all. */
  readonly responseSampling?: number;
  /** Validates one in N items of streams. Default: `responseSampling`. */
  readonly itemSampling?: number;
  /** Default: `remove`. */
  readonly undeclaredProperties?: UndeclaredProperties;
  /** Called for each response that does not match the contract, as far as it is validated, or that had undeclared members. */
  readonly onResponseProblem?: (problem: ResponseProblem, request: Request) => void;
  /**
   * Treatment of query parameters that the contract does not declare: `refuse` responds 400, `ignore` leaves them out of what the
   * handler gets. `x-eov-allow-unknown-query-parameters: true` or `false` on an operation takes precedence. Default: `refuse`.
   */
  readonly undeclaredQuery?: "refuse" | "ignore";
  /** Formats of strings that the contract uses and no standard defines. Default: they are annotations, which are not validated. */
  readonly formats?: Formats;
  /** Observes requests, for metrics and traces. Default: none. */
  readonly observe?: Observe;
  /** Maximum number of handlers that run at the same time; further requests get 503 with `Retry-After`. Default: unlimited. */
  readonly maxInFlight?: number;
  /** Limits of open streams of items. Default: unlimited. */
  readonly streams?: StreamLimits<Principals>;
  /** The clock that decides whether an operation's sunset has passed, in milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
}

/** Options that are required unless nothing would use them. */
type Needed<Context, Principals> = (object extends Context ? unknown : { readonly context: object }) &
  ([keyof Principals] extends [never] ? unknown : { readonly authenticators: object });

type BaseApiOptions<Context, Principals> = BaseOptions<Context, Principals> & Needed<Context, Principals>;

/**
 * The options of the generated `createApi`, which also takes the contract's `ErrorOptions`.
 * `Handlers` and `Principals` are generated interfaces; `Context` is your own type.
 * @example
 * interface Context {
 *   readonly store: typeof store;
 * }
 * const options: ApiOptions<Handlers<Context, Principals>, Context, Principals> = {
 *   handlers: {
 *     listPets: async (_request, reply, { store }) => reply[200](await store.list()),
 *     createPet: async ({ body }, reply, { store }) => reply[201](await store.insert(body)),
 *     getPet: async ({ path }, reply, { store }) => {
 *       const pet = await store.find(path.petId);
 *       return pet ? reply[200](pet) : reply[404]({ code: "pet_not_found", message: "No such pet", status: 404 });
 *     },
 *   },
 *   authenticators,
 *   context: () => ({ store }),
 * };
 * app.use(createApi<Context, Principals>({ ...errors, ...options }));
 */
export type ApiOptions<Handlers, Context, Principals> = BaseApiOptions<Context, Principals> & {
  readonly handlers: Handlers;
};

/**
 * Some of the handlers. An operation may be named like a member of `Object.prototype`, such as `toString`; the inherited
 * member does not count as a wrong handler.
 * @example
 * const handlers: PartialHandlers<Handlers<object, Principals>> = {
 *   listPets: async (_request, reply) => reply[200](await store.list()),
 * };
 * app.use(createPartialApi({ ...errors, handlers, authenticators, unimplemented: "501" }));
 */
export type PartialHandlers<Handlers> = {
  readonly [Id in keyof Handlers]?: Id extends keyof typeof Object.prototype
    ? Handlers[Id] | (typeof Object.prototype)[Id]
    : Handlers[Id];
};

/**
 * The options of the generated `createPartialApi`, which also takes the contract's `ErrorOptions`.
 * @example
 * const options: PartialApiOptions<Handlers<object, Principals>, object, Principals> = {
 *   handlers: { listPets: async (_request, reply) => reply[200](await store.list()) },
 *   authenticators,
 *   unimplemented: "next",
 * };
 * app.use(createPartialApi({ ...errors, ...options }));
 */
export type PartialApiOptions<Handlers, Context, Principals> = BaseApiOptions<Context, Principals> & {
  readonly handlers: PartialHandlers<Handlers>;
  /**
   * Response of operations without a handler. `"501"` responds 501. A function creates the missing handlers, such as `mock()` of
   * `@tenon/cli/mock`.
   *
   * `"next"` passes these operations, unknown paths and other methods to the next middleware. Their requests are neither
   * authenticated nor read, so an existing service on the same paths can be migrated one operation at a time.
   */
  readonly unimplemented: "501" | "next" | MakeHandler;
};
