import type { Request, Response } from "express";
import type { Authenticators } from "./security/authentication.js";
import type { BodyLimits } from "./body/body.js";
import type { Observe } from "./routing/observe.js";
import type { MakeHandler } from "./routing/route.js";

/** `enforce` turns an undeclared response into a 500, `report` sends it and tells `onResponseProblem`. */
export type ResponseValidation = "off" | "report" | "enforce";

/** A response that the contract does not declare like this. */
export interface ResponseProblem {
  readonly operationId: string;
  readonly status: number;
  readonly problems: readonly string[];
}

/** A request that is authenticated, or may be anonymous. */
export interface Admission<Principals> {
  readonly operationId: string;
  /** By the contract's security schemes, as handlers get it: those that the request satisfied. */
  readonly auth: Readonly<Partial<Principals>> | undefined;
  readonly request: Request;
  readonly response: Response;
}

/** What every API takes, whatever of it may be left out. */
export interface BaseOptions<Context, Principals> extends BodyLimits {
  readonly authenticators?: Authenticators<Principals>;
  /**
   * Called for each request that is authenticated, before anything of it is read: throw an `HttpError` to refuse it, because
   * its caller sends too many for example, and set headers that its answer is to have.
   */
  admit?(admission: Admission<Principals>): void | Promise<void>;
  /** What handlers get besides the request, made anew for each request. */
  readonly context?: (request: Request, response: Response) => Context;
  /** Default: `enforce`. */
  readonly responseValidation?: ResponseValidation;
  /** Looks at one of so many responses, for services where looking at all is too dear. Default: 1, which is all of them. */
  readonly responseSampling?: number;
  /** Called for each response that is found not to be as declared, in either mode. */
  readonly onResponseProblem?: (problem: ResponseProblem, request: Request) => void;
  /** Watches requests, for metrics and traces; costs nothing where it is left out. */
  readonly observe?: Observe;
  /** Handlers at work at a time; a request to one more gets 503 with `Retry-After`. Default: any number. */
  readonly maxInFlight?: number;
  /** The clock that decides whether an operation's sunset has passed, in milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
}

/** Options that may be left out only where nothing would use them. */
type Needed<Context, Principals> = (object extends Context ? unknown : { readonly context: object }) &
  ([keyof Principals] extends [never] ? unknown : { readonly authenticators: object });

type BaseApiOptions<Context, Principals> = BaseOptions<Context, Principals> & Needed<Context, Principals>;

/** What `createApi` takes besides the contract's `ErrorOptions`. */
export type ApiOptions<Handlers, Context, Principals> = BaseApiOptions<Context, Principals> & {
  readonly handlers: Handlers;
};

/**
 * Some of the handlers. Every object has a `toString` and a `constructor` by birth, which are no handlers of operations that
 * are called so, and must not count as wrong ones.
 */
export type PartialHandlers<Handlers> = {
  readonly [Id in keyof Handlers]?: Id extends keyof typeof Object.prototype
    ? Handlers[Id] | (typeof Object.prototype)[Id]
    : Handlers[Id];
};

/** What `createPartialApi` takes besides the contract's `ErrorOptions`. */
export type PartialApiOptions<Handlers, Context, Principals> = BaseApiOptions<Context, Principals> & {
  readonly handlers: PartialHandlers<Handlers>;
  /**
   * What operations without a handler answer: 501, or what the given function makes of them, such as `mock()` of
   * `@tenon/cli/mock`.
   *
   * `"next"` leaves them, unknown paths and other methods to what comes after, untouched: neither authenticated nor read. So
   * an older service below the same paths can hand over one operation after the other.
   */
  readonly unimplemented: "501" | "next" | MakeHandler;
};
