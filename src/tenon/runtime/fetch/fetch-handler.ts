import type { IncomingMessage } from "node:http";
import type { Request as ExpressRequest } from "express";
import type { Contract, Operation } from "../../core/model/index.js";
import { NO_BODY, toHandlerBody } from "../body/declared-body.js";
import { createErrorContent, type ErrorContentOptions, toProblem } from "../errors/error-content.js";
import { HttpError } from "../errors/http-error.js";
import { parseQuery } from "../parameters/read-parameters.js";
import { RawReply, Reply } from "../response/reply.js";
import { applyRange } from "../routing/byte-ranges.js";
import { createMatcher, type Match, splitTarget } from "../routing/match.js";
import { RequestSource } from "../routing/request-source.js";
import { createResponseGuard } from "../routing/response-guard.js";
import {
  createRouteCompiler,
  type Handler,
  type MakeHandler,
  type Route,
  toAccepts,
} from "../routing/route.js";
import { createOperationValidators } from "../validation/operation-validator.js";
import { createInterpreter } from "../validation/interpreter.js";
import { createFetchBodyReader, type FetchBodyReader } from "./fetch-body.js";
import { toFetchResponse } from "./fetch-response.js";

export interface FetchHandlerOptions extends ErrorContentOptions {
  /** Creates the handlers of all operations. */
  readonly makeHandler: MakeHandler;
  /** Largest request body in bytes. */
  readonly bodyLimit: number;
  /** Called for each response with a status of 500 or above. */
  readonly onFailure?: ((error: unknown, operation: Operation | undefined) => void) | undefined;
}

/** A request as it arrived. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query: `/v1/pets?limit=2`. */
  readonly target: string;
  readonly headers: Headers;
  /** Undefined without a body. */
  readonly bytes: Uint8Array | undefined;
}

/** Enforces a contract where there is neither Node nor the evaluation of code. */
export interface FetchHandler {
  readonly match: (method: string, target: string) => Match<Operation>;
  /**
   * Responds to a request as the Express middleware does.
   * @param choose Returns the handler to call in place of the operation's own.
   */
  readonly respond: (received: ReceivedRequest, choose?: (own: Handler) => Handler) => Promise<Response>;
}

/**
 * Creates a function that enforces a contract in front of handlers, with the responses that the Express middleware sends: it matches,
 * authenticates, reads and validates. Every credential of a declared form is accepted. Schemas are interpreted.
 */
export function createFetchHandler(contract: Contract, options: FetchHandlerOptions): FetchHandler {
  const { basePaths, operations, securitySchemes } = contract;
  const matcher = createMatcher(basePaths, operations);
  const toContent = createErrorContent(options);
  const guard = createResponseGuard({});
  const compile = createRouteCompiler(
    contract,
    operations,
    {
      handlers: {},
      unimplemented: options.makeHandler,
      authenticators: Object.fromEntries(securitySchemes.map(({ name }) => [name, () => ({})])),
    },
    createOperationValidators(contract, createInterpreter()),
  );
  const compiled = new Map<Operation, FetchRoute>();

  function findRoute(operation: Operation): FetchRoute {
    const known = compiled.get(operation);
    if (known !== undefined) return known;
    const { requestBody } = operation;
    const readBody = requestBody && createFetchBodyReader(requestBody, options.bodyLimit);
    const route = { ...compile(operation), readBody };
    compiled.set(operation, route);
    return route;
  }

  function toError(thrown: unknown, method: string, operation?: Operation): Response {
    const error = thrown instanceof HttpError ? thrown : new HttpError("internal_error");
    if (error.status >= 500) options.onFailure?.(thrown, operation);
    const { status, headers } = error;
    const content = toContent(toProblem(error), operation);
    return toFetchResponse(
      { status, headers, content },
      method,
      operation && compiled.get(operation)?.headers,
    );
  }

  async function run(
    operation: Operation,
    path: Readonly<Record<string, string>>,
    received: ReceivedRequest,
    choose: (own: Handler) => Handler,
  ) {
    const { method, target, bytes = NOTHING } = received;
    const route = findRoute(operation);
    const head = toHead(received);
    const { query } = splitTarget(target);
    const source = new RequestSource(head, path, parseQuery(query), query);
    const auth = await route.authenticate(source);
    route.deprecation?.assertNotGone(Date.now());
    const accepts = toAccepts(route, head);
    const body = route.readBody === undefined ? NO_BODY : await route.readBody(head, bytes);
    const { mediaType } = body;
    const values = route.validator.request({
      parameters: route.readParameters(source),
      mediaType,
      body: body.value,
    });
    if (values instanceof HttpError) throw values;
    const handled = {
      ...values,
      body: body === NO_BODY ? undefined : toHandlerBody(operation, body, values.body),
      ...(route.mediaTypes.length > 1 && { accepts }),
    };
    if (route.handler === undefined) throw new HttpError("not_implemented");
    const reply: unknown = await choose(route.handler)(handled, route.replies, { auth }, head);
    if (reply instanceof Response) return reply;
    if (!(reply instanceof Reply) || reply instanceof RawReply || reply.operationId !== operation.id)
      throw new TypeError(
        `The handler of "${operation.id}" must return one of its reply methods' replies, but not reply.raw`,
      );
    const guarded = guard(route, reply as Reply<string>, head);
    const noBytes = () => new Uint8Array() as never;
    return toFetchResponse(applyRange(guarded, head, route.hasRanges, noBytes), method, route.headers);
  }

  const match: FetchHandler["match"] = (method, target) => matcher(method, splitTarget(target).path);
  return {
    match,
    async respond(received, choose = (own) => own) {
      const { method, target } = received;
      let operation: Operation | undefined;
      try {
        const found = match(method, target);
        if (found.kind === "other-method") {
          const headers = { Allow: found.allow };
          if (method !== "OPTIONS") throw HttpError.refusal("method_not_allowed", { headers });
          return toFetchResponse({ status: 204, headers, content: undefined }, method);
        }
        if (found.kind !== "operation") throw HttpError.refusal("not_found");
        operation = found.operation;
        return await run(operation, found.pathParameters, received, choose);
      } catch (error) {
        return toError(error, method, operation);
      }
    },
  };
}

interface FetchRoute extends Route {
  readonly readBody: FetchBodyReader | undefined;
}

const NOTHING = new Uint8Array();

/** The members of an Express request that the enforcement reads. */
function toHead({ method, target, headers, bytes }: ReceivedRequest): ExpressRequest {
  const sent = [...headers].filter(([name]) => name !== "content-length" && name !== "transfer-encoding");
  if (bytes !== undefined) sent.push(["content-length", String(bytes.byteLength)]);
  const head: Pick<IncomingMessage, "method" | "url" | "headers" | "rawHeaders"> & {
    readonly socket: object;
  } = {
    method,
    url: target,
    headers: Object.fromEntries(sent),
    rawHeaders: sent.flat(),
    socket: {},
  };
  return head as ExpressRequest;
}
