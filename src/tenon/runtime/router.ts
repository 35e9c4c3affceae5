import { Readable } from "node:stream";
import type { Request, RequestHandler, Response } from "express";
import { toNegotiated } from "../media-type.js";
import { negotiate } from "./accept.js";
import { createAuthentication, type Auth, type Authenticators } from "./authentication.js";
import { createBodyReaders, NO_BODY, toHandlerBody, type BodyLimits, type BodyReader } from "./body.js";
import { readContract } from "./contract-document.js";
import { parseCookies } from "./cookies.js";
import { queryCredentialNames } from "./credentials.js";
import { createDeprecation, type Deprecation } from "./deprecation.js";
import { createErrorAnswer, type ErrorOptions } from "./errors.js";
import { HttpError, type Phase } from "./http-error.js";
import { createMatcher, type Match } from "./match.js";
import { getMember } from "./member.js";
import type { OperationDescriptor } from "./operation.js";
import { createParameterReader, type ParameterReader } from "./parameters.js";
import { parseQuery } from "./query.js";
import type { RawRequest } from "./read-parameter.js";
import { createReplies, type ReplyMethods } from "./replies.js";
import { RawReply, Reply } from "./reply.js";
import { respond, respondWhole } from "./respond.js";
import { splitTarget } from "./target.js";
import { createValidatorCompiler, type OperationValidator, type RequestValues } from "./validator.js";

/** What a generated `server.ts` hands over: names and data. */
export interface ContractTable {
  /** Path of the contract's servers: `/v1`, or empty. */
  readonly basePath: string;
  readonly operations: readonly OperationDescriptor[];
  /** The bundled contract that the operations were generated with. */
  readonly contractUrl: URL;
}

/** `enforce` turns an undeclared response into a 500, `report` sends it and tells `onResponseProblem`. */
export type ResponseValidation = "off" | "report" | "enforce";

/** A response that the contract does not declare like this. */
export interface ResponseProblem {
  readonly operationId: string;
  readonly status: number;
  readonly problems: readonly string[];
}

interface BaseApiOptions<Context, Principals> extends ErrorOptions, BodyLimits {
  readonly authenticators: Authenticators<Principals>;
  /** What handlers get besides the request, made anew for each request. */
  readonly context: (request: Request, response: Response) => Context;
  /** Default: `enforce`. */
  readonly responseValidation?: ResponseValidation;
  /** Called for each response that is not as declared, in either mode. */
  readonly onResponseProblem?: (problem: ResponseProblem, request: Request) => void;
  /** The clock that decides whether an operation's sunset has passed, in milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
}

export interface ApiOptions<Handlers, Context, Principals> extends BaseApiOptions<Context, Principals> {
  readonly handlers: Handlers;
}

/**
 * Some of the handlers. Every object has a `toString` and a `constructor` by birth, which are no handlers of operations that
 * are called so, and must not count as wrong ones.
 */
export type PartialHandlers<Handlers> = {
  readonly [Id in keyof Handlers]?: Id extends keyof typeof Object.prototype
    ? Handlers[Id] | (typeof Object.prototype)[Id]
    : Handlers[Id];
};

export interface PartialApiOptions<Handlers, Context, Principals> extends BaseApiOptions<
  Context,
  Principals
> {
  readonly handlers: PartialHandlers<Handlers>;
  /** Operations without a handler answer 501. */
  readonly unimplemented: "501";
}

export type ContractRouter = RequestHandler;

interface HandlerRequest extends RequestValues {
  /** Only where the contract leaves a choice. */
  readonly accepts?: readonly string[];
}

/** A handler as the runtime calls it; the generated types are what users see. */
type Handler = (request: HandlerRequest, reply: ReplyMethods, context: object) => unknown;

/** Everything about an operation that is worked out once, at start. */
interface Route {
  readonly method: OperationDescriptor["method"];
  readonly path: string;
  readonly operation: OperationDescriptor;
  readonly readParameters: ParameterReader;
  readonly readBody: BodyReader;
  readonly validator: OperationValidator;
  readonly replies: ReplyMethods;
  /** What `Accept` chooses among. */
  readonly mediaTypes: readonly string[];
  /** Every answer of the operation has them, errors included. */
  readonly headers: Readonly<Record<string, string>>;
  readonly deprecation: Deprecation | undefined;
  readonly handler: Handler | undefined;
}

/**
 * Enforces a contract in front of typed handlers, as one Express middleware. A request is matched, authenticated,
 * read, validated, handled and its answer validated, in this order; each step ends in an answer of the contract.
 * Paths outside the contract's base path are left to what comes after it.
 * @throws when the contract cannot be read, is not valid OpenAPI, or does not fit the table, the handlers or the
 *   authenticators: a broken contract stops the start.
 */
export function createContractRouter<Handlers extends object, Context extends object, Principals>(
  { basePath, operations, contractUrl }: ContractTable,
  options: ApiOptions<Handlers, Context, Principals> | PartialApiOptions<Handlers, Context, Principals>,
): ContractRouter {
  const document = readContract(contractUrl);
  const createReader = createBodyReaders(options);
  const compile = createValidatorCompiler(document, operations);
  const unimplemented = "unimplemented" in options ? options.unimplemented : undefined;
  const handlers = options.handlers as Readonly<Record<string, Handler | undefined>>;
  const routes = operations.map((operation): Route => {
    const { method, path, requestBody, responses } = operation;
    const mediaTypes = toNegotiated(
      Object.entries(responses).map(([status, response]) => [status, response.mediaTypes]),
    );
    const deprecation = operation.deprecation && createDeprecation(operation.deprecation, basePath);
    return {
      method,
      path,
      operation,
      readParameters: createParameterReader(operation, queryCredentialNames(document, operation)),
      readBody: requestBody ? createReader(requestBody) : () => Promise.resolve(NO_BODY),
      validator: compile(operation),
      replies: createReplies(operation),
      mediaTypes,
      headers: { ...deprecation?.headers, ...(mediaTypes.length > 1 && { Vary: "Accept" }) },
      deprecation,
      handler: findHandler(operation, handlers, unimplemented),
    };
  });
  const matcher = createMatcher(basePath, routes);
  const authenticate = createAuthentication(document, operations, options.authenticators);
  const responseValidation = options.responseValidation ?? "enforce";
  const now = options.now ?? Date.now;
  const answerError = createErrorAnswer(options);

  async function answer(route: Route, raw: RawRequest, call: Call): Promise<void> {
    const { request, response } = call;
    const { operation, deprecation } = route;

    call.phase = "authentication";
    const auth = await authenticate(operation, {
      headers: request.headers,
      headersDistinct: request.headersDistinct,
      query: raw.query,
      cookies: parseCookies(request.headers.cookie),
      socket: request.socket,
    });
    response.locals["auth"] = auth;

    call.phase = "request";
    deprecation?.assertNotGone(now());
    const accepts = negotiate(request.headers.accept, route.mediaTypes);
    if (route.mediaTypes.length > 0 && accepts.length === 0) {
      throw new HttpError("not_acceptable", {
        message: `Accept must allow ${route.mediaTypes.join(" or ")}`,
      });
    }
    const body = await route.readBody(request, response);
    const parameters = route.readParameters(raw);
    const values = route.validator.request({ parameters, mediaType: body.mediaType, body: body.value });
    const handled = {
      ...values,
      body: toHandlerBody(operation, { ...body, value: values.body }),
      ...(route.mediaTypes.length > 1 && { accepts }),
    };

    call.phase = "handler";
    if (route.handler === undefined) throw new HttpError("not_implemented");
    const context = { ...options.context(request, response), auth } satisfies { auth: Auth };
    const reply: unknown = await route.handler(handled, route.replies, context);
    if (!isReplyOf(operation, reply)) {
      throw new TypeError(`The handler of "${operation.id}" must return one of its reply methods' replies`);
    }

    call.phase = "response";
    if (reply instanceof RawReply) {
      await reply.send(response);
      return;
    }
    if (responseValidation !== "off") checkResponse(route, reply, request);
    await respondWhole(response, reply);
  }

  function checkResponse(route: Route, reply: Reply<string>, request: Request): void {
    const { operation, validator } = route;
    const { status, content } = reply;
    const problems = validator.response({
      status,
      content,
      headers: { ...route.headers, ...reply.headers },
    });
    if (problems.length === 0) return;
    options.onResponseProblem?.({ operationId: operation.id, status: reply.status, problems }, request);
    if (responseValidation === "enforce") {
      // A stream that is not sent would stay open.
      if (content?.body instanceof Readable) content.body.destroy();
      throw new Error(`The response of "${operation.id}" is not as declared: ${problems.join("; ")}`);
    }
  }

  /** From here on whatever happens is an answer of this operation. */
  function enter({ operation, headers }: Route, call: Call): void {
    call.operationId = operation.id;
    call.response.locals["operationId"] = operation.id;
    respondLater(call.response, headers);
  }

  function serve({ operation: route, pathParameters }: Found, rawQuery: string, call: Call): void {
    const { headersDistinct: headers } = call.request;
    answer(route, { path: pathParameters, query: parseQuery(rawQuery), headers }, call).catch(
      (error: unknown) => {
        answerError(error, call);
      },
    );
  }

  return (request, response, next) => {
    const call: Call = { request, response, phase: "match", operationId: undefined };
    try {
      const { path, query } = splitTarget(request.url);
      const match = matcher(request.method, path);
      switch (match.kind) {
        case "outside":
          next();
          return;
        case "no-path":
          throw new HttpError("not_found");
        case "other-method":
          if (request.method !== "OPTIONS")
            throw new HttpError("method_not_allowed", { headers: { Allow: match.allow } });
          // RFC 9110, section 9.3.7: what may be done with the path.
          respond(response, { status: 204, headers: { Allow: match.allow }, content: undefined });
          return;
        case "operation":
          enter(match.operation, call);
          serve(match, query, call);
      }
    } catch (error) {
      answerError(error, call);
    }
  };
}

type Found = Extract<Match<Route>, { kind: "operation" }>;

interface Call {
  readonly request: Request;
  readonly response: Response;
  phase: Phase;
  operationId: string | undefined;
}

function findHandler(
  { id, stub }: OperationDescriptor,
  handlers: Readonly<Record<string, Handler | undefined>>,
  unimplemented: "501" | undefined,
): Handler | undefined {
  const handler = getMember(handlers, id);
  if (handler !== undefined) return handler.bind(handlers);
  if (stub === true || unimplemented === "501") return undefined;
  throw new Error(`Operation "${id}" has no handler`);
}

/** Headers that every answer of the operation carries, errors included. */
function respondLater(response: Response, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

function isReplyOf({ id }: OperationDescriptor, value: unknown): value is Reply<string> {
  return value instanceof Reply && value.operationId === id;
}
