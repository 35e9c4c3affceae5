import type { Request } from "express";
import { HttpError } from "../errors/http-error.js";
import { findNegotiated } from "../../core/http/status.js";
import { negotiate } from "../response/accept.js";
import { hasRanges } from "./byte-ranges.js";
import type { BaseOptions } from "./options.js";
import { type Authenticate, createAuthentication } from "../security/authentication.js";
import { createQuerystringReader } from "../body/querystring.js";
import { type Contract, type Operation, type Parameter, toParameterKey } from "../../core/model/index.js";
import { queryCredentialNames } from "../security/credentials.js";
import { createDeprecation, type Deprecation } from "./deprecation.js";
import { getMember } from "../../core/document/null-object.js";
import { memoize } from "../http/memo.js";
import { createParameterReader, type ParameterReader } from "../parameters/read-parameters.js";
import { createReplies, type ReplyMethods } from "../response/replies.js";
import type { ResponseCheck } from "../validation/response-check.js";
import type { OperationValidator, RequestValues } from "../validation/operation-validator.js";

/**
 * The validated request as the runtime passes it to a handler. Generated request types narrow it per operation.
 * @example
 * const describe = ({ path, query }: HandlerRequest) => JSON.stringify({ path, query });
 * const getPet: Handlers<object, Principals>["getPet"] = (request, reply) => {
 *   console.log(describe(request));
 *   return reply[404]({ code: "pet_not_found", message: "No such pet", status: 404 });
 * };
 */
export interface HandlerRequest extends RequestValues {
  /** Media types that the client accepts, the preferred one first. Present when the contract declares more than one. */
  readonly accepts?: readonly string[];
}

/**
 * A handler as the runtime calls it. Handlers that you write have the generated types; this one is for a {@link MakeHandler}.
 * @param incoming The Express request, for created handlers, which do not know the service's context.
 * @example
 * const respondEmpty: Handler = (_request, _reply, _context, incoming) =>
 *   new Reply("listPets", 200, { mediaType: "application/json", kind: "json", body: [] }, { Link: incoming.url });
 */
export type Handler = (
  request: HandlerRequest,
  reply: ReplyMethods,
  context: object,
  incoming: Request,
) => unknown;

/**
 * An operation without a handler, the argument of a {@link MakeHandler}.
 * @example
 * const list = ({ operation }: Unhandled) => {
 *   console.warn(`${operation.id} has no handler`);
 *   return undefined;
 * };
 * app.use(createPartialApi({ ...errors, handlers: {}, authenticators, unimplemented: list }));
 */
export interface Unhandled {
  readonly operation: Operation;
  readonly contract: Contract;
  /** Headers of every response of the operation. */
  readonly headers: Readonly<Record<string, string>>;
  /** Validates a reply as it would be validated when it is sent, and returns its problems. */
  readonly check: ResponseCheck;
}

/**
 * Creates the handler of an operation that has none. Return undefined to respond 501.
 * @example
 * const unimplemented: MakeHandler = ({ operation: { id } }) =>
 *   id === "listPets"
 *     ? () => new Reply(id, 200, { mediaType: "application/json", kind: "json", body: [] }, {})
 *     : undefined;
 * app.use(createPartialApi({ ...errors, handlers: {}, authenticators, unimplemented }));
 */
export type MakeHandler = (unhandled: Unhandled) => Handler | undefined;

/** Everything about an operation that is computed once, at start. */
export interface Route {
  readonly operation: Operation;
  readonly authenticate: Authenticate;
  readonly readParameters: ParameterReader;
  /** With their keys in the result of {@link readParameters}. */
  readonly deprecatedParameters: readonly (readonly [key: string, parameter: Parameter])[];
  readonly validator: OperationValidator;
  readonly replies: ReplyMethods;
  /** The media types among which `Accept` chooses. */
  readonly mediaTypes: readonly string[];
  readonly negotiate: (accept: string) => readonly string[];
  /** Headers of every response of the operation, errors included. */
  readonly headers: Readonly<Record<string, string>>;
  readonly deprecation: Deprecation | undefined;
  /** `Range` headers apply. */
  readonly hasRanges: boolean;
  readonly handler: Handler | undefined;
}

export interface RouteOptions extends BaseOptions<object, unknown> {
  readonly handlers: object;
  readonly unimplemented?: "501" | "next" | MakeHandler;
}

/**
 * Creates the compiler of routes, which does not depend on where requests come from.
 * @param served The operations that are served: nothing is compiled for others.
 * @param compile Compiles the validator of an operation.
 * @returns a function that compiles the route of an operation, which takes milliseconds.
 * @throws {Error} when a handler or an authenticator is missing.
 */
export function createRouteCompiler(
  contract: Contract,
  served: readonly Operation[],
  options: RouteOptions,
  compile: (operation: Operation) => OperationValidator,
): (operation: Operation) => Route {
  const { basePath, securitySchemes } = contract;
  const authenticate = createAuthentication(contract, served, options.authenticators ?? {});
  const handlers = options.handlers as Readonly<Record<string, Handler | undefined>>;
  const { unimplemented } = options;
  const handlersByOperation = new Map(
    served.map((operation) => [operation, findHandler(operation, handlers, unimplemented)]),
  );
  const makeHandler = typeof unimplemented === "function" ? unimplemented : undefined;
  return (operation) => {
    const { parameters, responses } = operation;
    const mediaTypes = findNegotiated(responses);
    const validator = compile(operation);
    const deprecation = createDeprecation(operation, basePath);
    const headers = { ...deprecation?.headers, ...(mediaTypes.length > 1 && { Vary: "Accept" }) };
    const check: ResponseCheck = (reply) => {
      const removed = options.undeclaredProperties === "send" ? undefined : validator.removeUndeclared(reply);
      const declared = { ...reply, ...removed, headers: { ...headers, ...reply.headers } };
      return [...(removed?.problems ?? []), ...validator.response(declared), ...validator.items(reply)];
    };
    return {
      operation,
      authenticate: authenticate(operation),
      readParameters: createParameterReader(operation, {
        apiKeys: queryCredentialNames(securitySchemes, operation),
        undeclaredQuery: options.undeclaredQuery,
        createQuerystringReader,
      }),
      deprecatedParameters: parameters
        .filter(({ lifecycle }) => lifecycle?.deprecated === true)
        .map((parameter) => [toParameterKey(parameter), parameter]),
      validator,
      replies: createReplies(operation),
      mediaTypes,
      negotiate: memoize((accept) => negotiate(accept, mediaTypes)),
      headers,
      deprecation,
      hasRanges: hasRanges(operation),
      handler: handlersByOperation.get(operation) ?? makeHandler?.({ operation, contract, headers, check }),
    };
  };
}

function findHandler(
  { id, stub }: Operation,
  handlers: Readonly<Record<string, Handler | undefined>>,
  unimplemented: RouteOptions["unimplemented"],
): Handler | undefined {
  const handler = getMember(handlers, id);
  if (handler !== undefined) return handler.bind(handlers);
  // While `tenon dev` runs the service, its type check reports the operation, which responds with 501.
  if (stub || unimplemented !== undefined || process.env["TENON_DEV"] === "1") return undefined;
  throw new Error(`Operation "${id}" has no handler`);
}

/** Finds the media types that the request accepts, when the contract declares several. */
export function toAccepts(
  { mediaTypes, negotiate }: Route,
  { headers }: Pick<Request, "headers">,
): readonly string[] {
  if (mediaTypes.length === 0) return mediaTypes;
  const accepts = negotiate(headers.accept ?? "");
  if (accepts.length > 0) return accepts;
  throw HttpError.refusal("not_acceptable", { message: `Accept must allow ${mediaTypes.join(" or ")}` });
}
