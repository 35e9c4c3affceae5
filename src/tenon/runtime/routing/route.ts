import type { Request } from "express";
import { toNegotiated } from "../../core/http/media-type.js";
import { negotiate } from "../response/accept.js";
import type { BaseOptions } from "../options.js";
import { type Authenticate, createAuthentication } from "../security/authentication.js";
import { type BodyReader, createBodyReaders } from "../body/body.js";
import type { ContractDocument } from "../contract-document.js";
import { queryCredentialNames } from "../security/credentials.js";
import { createDeprecation, type Deprecation } from "./deprecation.js";
import { createFixedHeaders, type SetHeaders } from "./fixed-headers.js";
import { getMember } from "../member.js";
import { memoize } from "../memo.js";
import type { OperationDescriptor, ParameterDescriptor } from "../operation.js";
import { toKey } from "../parameters/parameter-name.js";
import { createParameterReader, type ParameterReader } from "../parameters/read-parameters.js";
import { createReplies, type ReplyMethods } from "../response/replies.js";
import type { ResponseCheck } from "../validation/response-check.js";
import {
  createValidatorCompiler,
  type OperationValidator,
  type RequestValues,
} from "../validation/validator.js";

export interface HandlerRequest extends RequestValues {
  /** Only where the contract leaves a choice. */
  readonly accepts?: readonly string[];
}

/**
 * A handler as the runtime calls it; the generated types are what users see.
 * @param incoming For handlers that are made, and know of no context of the service's own.
 */
export type Handler = (
  request: HandlerRequest,
  reply: ReplyMethods,
  context: object,
  incoming: Request,
) => unknown;

/** An operation that has no handler. */
export interface Unhandled {
  readonly operation: OperationDescriptor;
  readonly document: ContractDocument;
  /** Every answer of the operation has them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Tells the problems of a reply, as they would be found when it is sent. */
  readonly check: ResponseCheck;
}

/** Makes the handler of an operation that has none; undefined where it is to be answered 501. */
export type MakeHandler = (unhandled: Unhandled) => Handler | undefined;

/** Everything about an operation that is worked out once, at start. */
export interface Route {
  readonly operation: OperationDescriptor;
  readonly authenticate: Authenticate;
  readonly readParameters: ParameterReader;
  /** With their keys among what {@link readParameters} returns. */
  readonly deprecatedParameters: readonly (readonly [key: string, parameter: ParameterDescriptor])[];
  /** Undefined where no body is declared. */
  readonly readBody: BodyReader | undefined;
  readonly validator: OperationValidator;
  readonly replies: ReplyMethods;
  /** What `Accept` chooses among. */
  readonly mediaTypes: readonly string[];
  readonly negotiate: (accept: string) => readonly string[];
  /** Every answer of the operation has them, errors included. */
  readonly headers: Readonly<Record<string, string>>;
  readonly setHeaders: SetHeaders;
  readonly deprecation: Deprecation | undefined;
  readonly handler: Handler | undefined;
}

export interface RouteOptions extends BaseOptions<object, unknown> {
  readonly handlers: object;
  readonly unimplemented?: "501" | "next" | MakeHandler;
}

/**
 * @returns what works out the route of one of the operations, which takes milliseconds.
 * @throws when the contract or the table does not fit the other, or the handlers or authenticators do not fit them.
 */
export function createRouteCompiler(
  { document, basePath, operations }: RoutedContract,
  options: RouteOptions,
): (operation: OperationDescriptor) => Route {
  const createReader = createBodyReaders(options);
  const compile = createValidatorCompiler(document, operations);
  const authenticate = createAuthentication(document, operations, options.authenticators ?? {});
  const handlers = options.handlers as Readonly<Record<string, Handler | undefined>>;
  const handlersByOperation = new Map(
    operations.map((operation) => [operation, findHandler(operation, handlers, options.unimplemented)]),
  );
  const { unimplemented } = options;
  const makeHandler = typeof unimplemented === "function" ? unimplemented : undefined;
  return (operation) => {
    const { parameters, requestBody, responses } = operation;
    const mediaTypes = toNegotiated(
      Object.entries(responses).map(([status, response]) => [status, response.mediaTypes]),
    );
    const validator = compile(operation);
    const deprecation = operation.deprecation && createDeprecation(operation.deprecation, basePath);
    const headers = { ...deprecation?.headers, ...(mediaTypes.length > 1 && { Vary: "Accept" }) };
    const check: ResponseCheck = (reply) =>
      validator.response({ ...reply, headers: { ...headers, ...reply.headers } });
    return {
      operation,
      authenticate: authenticate(operation),
      readParameters: createParameterReader(operation, queryCredentialNames(document, operation)),
      deprecatedParameters: parameters
        .filter(({ deprecated }) => deprecated)
        .map((parameter) => [toKey(parameter), parameter]),
      readBody: requestBody && createReader(requestBody),
      validator,
      replies: createReplies(operation, validator.findWriter),
      mediaTypes,
      negotiate: memoize((accept) => negotiate(accept, mediaTypes)),
      headers,
      setHeaders: createFixedHeaders(headers),
      deprecation,
      handler: handlersByOperation.get(operation) ?? makeHandler?.({ operation, document, headers, check }),
    };
  };
}

/** A contract in memory, with the table of its operations. */
export interface RoutedContract {
  readonly document: ContractDocument;
  readonly basePath: string;
  readonly operations: readonly OperationDescriptor[];
}

function findHandler(
  { id, stub }: OperationDescriptor,
  handlers: Readonly<Record<string, Handler | undefined>>,
  unimplemented: RouteOptions["unimplemented"],
): Handler | undefined {
  const handler = getMember(handlers, id);
  if (handler !== undefined) return handler.bind(handlers);
  if (stub === true || unimplemented !== undefined) return undefined;
  throw new Error(`Operation "${id}" has no handler`);
}
