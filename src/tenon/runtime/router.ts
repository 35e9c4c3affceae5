import { Readable } from "node:stream";
import type { Request, RequestHandler, Response } from "express";
import { toNegotiated } from "../media-type.js";
import { negotiate } from "./accept.js";
import type { BaseOptions } from "./api-options.js";
import { createAuthentication, type Auth, type Authenticate } from "./authentication.js";
import { createBodyReaders, NO_BODY, toHandlerBody, type BodyReader } from "./body.js";
import { readContract } from "./contract-document.js";
import { queryCredentialNames } from "./credentials.js";
import { createDeprecation, type Deprecation } from "./deprecation.js";
import { createErrorAnswer, type ErrorOptions } from "./errors.js";
import { HttpError, type Phase } from "./http-error.js";
import { memoize } from "./memo.js";
import { createMatcher, type Match } from "./match.js";
import { getMember } from "./member.js";
import type { OperationDescriptor } from "./operation.js";
import { createParameterReader, type ParameterReader } from "./parameters.js";
import { parseQuery } from "./query.js";
import { createReplies, type ReplyMethods } from "./replies.js";
import { RequestSource } from "./request-source.js";
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

export type ContractRouter = RequestHandler;

interface RouterOptions<Context, Principals> extends ErrorOptions, BaseOptions<Context, Principals> {
  readonly handlers: object;
  readonly unimplemented?: "501";
}

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
  readonly authenticate: Authenticate;
  readonly readParameters: ParameterReader;
  /** Undefined where no body is declared. */
  readonly readBody: BodyReader | undefined;
  readonly validator: OperationValidator;
  readonly replies: ReplyMethods;
  /** What `Accept` chooses among. */
  readonly mediaTypes: readonly string[];
  readonly negotiate: (accept: string) => readonly string[];
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
export function createContractRouter<Context extends object, Principals>(
  { basePath, operations, contractUrl }: ContractTable,
  options: RouterOptions<Context, Principals>,
): ContractRouter {
  const document = readContract(contractUrl);
  const createReader = createBodyReaders(options);
  const compile = createValidatorCompiler(document, operations);
  const authenticate = createAuthentication(document, operations, options.authenticators ?? {});
  const handlers = options.handlers as Readonly<Record<string, Handler | undefined>>;
  const routes = operations.map((operation): Route => {
    const { method, path, requestBody, responses } = operation;
    const mediaTypes = toNegotiated(
      Object.entries(responses).map(([status, response]) => [status, response.mediaTypes]),
    );
    const validator = compile(operation);
    const deprecation = operation.deprecation && createDeprecation(operation.deprecation, basePath);
    return {
      method,
      path,
      operation,
      authenticate: authenticate(operation),
      readParameters: createParameterReader(operation, queryCredentialNames(document, operation)),
      readBody: requestBody && createReader(requestBody),
      validator,
      replies: createReplies(operation, validator.findWriter),
      mediaTypes,
      negotiate: memoize((accept) => negotiate(accept, mediaTypes)),
      headers: { ...deprecation?.headers, ...(mediaTypes.length > 1 && { Vary: "Accept" }) },
      deprecation,
      handler: findHandler(operation, handlers, options.unimplemented),
    };
  });
  const matcher = createMatcher(basePath, routes);
  const responseValidation = options.responseValidation ?? "enforce";
  const now = options.now ?? Date.now;
  const answerError = createErrorAnswer(options);

  async function answer(route: Route, source: RequestSource, call: Call): Promise<void> {
    const { request, response } = call;
    const { operation, mediaTypes } = route;

    call.phase = "authentication";
    const authenticated = route.authenticate(source);
    const auth = authenticated instanceof Promise ? await authenticated : authenticated;
    response.locals["auth"] = auth;

    call.phase = "request";
    route.deprecation?.assertNotGone(now());
    const accepts = mediaTypes.length === 0 ? mediaTypes : route.negotiate(request.headers.accept ?? "");
    if (mediaTypes.length > 0 && accepts.length === 0) {
      throw HttpError.refusal("not_acceptable", { message: `Accept must allow ${mediaTypes.join(" or ")}` });
    }
    const body = route.readBody === undefined ? NO_BODY : await route.readBody(request, response);
    const parameters = route.readParameters(source);
    const values = route.validator.request({ parameters, mediaType: body.mediaType, body: body.value });
    const handled: HandlerRequest = {
      path: values.path,
      query: values.query,
      headers: values.headers,
      cookies: values.cookies,
      body: body === NO_BODY ? undefined : toHandlerBody(operation, body, values.body),
      ...(mediaTypes.length > 1 && { accepts }),
    };

    call.phase = "handler";
    if (route.handler === undefined) throw new HttpError("not_implemented");
    const context = { ...options.context?.(request, response), auth } satisfies { auth: Auth };
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
    const sending = respondWhole(response, reply);
    if (sending !== undefined) await sending;
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
    call.operation = operation;
    call.response.locals["operationId"] = operation.id;
    respondLater(call.response, headers);
  }

  function serve({ operation: route, pathParameters }: Found, rawQuery: string, call: Call): void {
    const source = new RequestSource(call.request, pathParameters, parseQuery(rawQuery));
    answer(route, source, call).catch((error: unknown) => {
      answerError(error, call);
    });
  }

  return (request, response, next) => {
    const call: Call = { request, response, phase: "match", operation: undefined };
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
  operation: OperationDescriptor | undefined;
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
  for (const name in headers) response.setHeader(name, headers[name] ?? "");
}

function isReplyOf({ id }: OperationDescriptor, value: unknown): value is Reply<string> {
  return value instanceof Reply && value.operationId === id;
}
