import { Readable } from "node:stream";
import type { Request, Response } from "express";
import type { BaseOptions } from "./options.js";
import { applyRange } from "./byte-ranges.js";
import type { BodyReader } from "../body/body.js";
import type { SetHeaders } from "../http/node-response.js";
import { NO_BODY, type RequestBody, toHandlerBody } from "../body/declared-body.js";
import { SentItems } from "../body/sent-items.js";
import { leaveUnread } from "../body/read-stream.js";
import type { CoverageRecorder } from "./coverage-recorder.js";
import type { SendError } from "../errors/send-error.js";
import { HttpError, type Phase, unavailable } from "../errors/http-error.js";
import type { RequestObserver } from "./observe.js";
import type { Operation } from "../../core/model/index.js";
import { describeOperation } from "../contract/operation.js";
import { RawReply, Reply } from "../response/reply.js";
import type { RequestSource } from "./request-source.js";
import { respondWhole } from "../response/respond.js";
import { createItemSender } from "./send-items.js";
import { createResponseGuard } from "./response-guard.js";
import { type HandlerRequest, type Route, toAccepts } from "./route.js";

/** A route of an Express app. */
export interface NodeRoute extends Route {
  /** Undefined when no body is declared. */
  readonly readBody: BodyReader | undefined;
  readonly setHeaders: SetHeaders;
}

/** A request that is being processed, and its current phase. */
export interface Call {
  readonly request: Request;
  readonly response: Response;
  phase: Phase;
  operation: Operation | undefined;
  observer: RequestObserver | undefined;
}

/** The recorder of `tenon coverage`, once it is loaded. Requests wait until it is. */
export interface Coverage {
  recorder?: CoverageRecorder;
}

/** Processes a request to an operation. The promise resolves after the response and never rejects: failures become responses too. */
export type RunOperation = (route: NodeRoute, source: RequestSource, call: Call) => Promise<void>;

/**
 * Creates the function that authenticates, reads, validates and handles a request, and validates the response, in this order. A failure
 * of any step becomes an error response of the contract.
 */
export function createOperationRunner(
  options: BaseOptions<object, unknown>,
  sendError: SendError,
  coverage: Coverage,
): RunOperation {
  const guard = createResponseGuard(options);
  const now = options.now ?? Date.now;
  const { maxInFlight = Infinity } = options;
  const sendItems = createItemSender(options.streams);
  let inFlight = 0;

  function fail(error: unknown, route: NodeRoute, { request, response, phase, operation }: Call): void {
    leaveUnread(request, response);
    sendError(error, { request, response, phase, operation, guard: (reply) => guard(route, reply, request) });
  }

  function finish(route: NodeRoute, source: RequestSource, call: Call): void {
    try {
      call.observer?.answered();
    } catch (error) {
      sendError(error, call);
    }
    coverage.recorder?.response(route.operation, source, call.request, call.response);
  }

  return async (route, source, call) => {
    // One function, because a promise that is rejected before it has a handler is expensive.
    try {
      const { request, response } = call;
      call.observer = options.observe?.({ operation: describeOperation(route.operation), request, response });
      enter(call, "authentication");
      const authenticated = route.authenticate(source);
      const auth = authenticated instanceof Promise ? await authenticated : authenticated;
      response.locals["auth"] = auth;
      const admission = { operationId: route.operation.id, auth, request, response };
      const admitted = options.admit?.(admission);
      if (admitted !== undefined) await admitted;

      enter(call, "request");
      route.deprecation?.assertNotGone(now());
      const accepts = toAccepts(route, request);
      const read = route.readBody === undefined ? NO_BODY : route.readBody(request, response);
      const body = read instanceof Promise ? await read : read;
      const { observer } = call;
      const handled = toHandlerRequest(route, { source, body, accepts, coverage, observer });
      if (handled instanceof HttpError) {
        fail(handled, route, call);
        return;
      }

      enter(call, "handler");
      if (route.handler === undefined) throw new HttpError("not_implemented");
      // Node 20 takes twenty times as long for a spread and one more member.
      const context = Object.assign({}, options.context?.(request, response), { auth });
      // Counted here and not on arrival: slow uploads and slow readers do not occupy a slot.
      if (inFlight >= maxInFlight) throw unavailable();
      inFlight += 1;
      let reply: unknown;
      try {
        reply = await route.handler(handled, route.replies, context, request);
      } finally {
        inFlight -= 1;
      }
      assertReply(route.operation, reply);

      leaveUnread(request, response);
      enter(call, "response");
      if (reply instanceof RawReply) {
        await reply.send(response);
      } else {
        const guarded = guard(route, reply, request);
        const ranged = applyRange(guarded, request, route.hasRanges, () => Readable.from([]));
        const declared = coverage.recorder?.reply(route.operation, ranged) ?? ranged;
        const sending =
          declared.content?.kind === "items"
            ? sendItems(declared, admission, call)
            : respondWhole(response, declared);
        if (sending === "congested") throw unavailable();
        if (sending !== undefined) await sending;
      }
    } catch (error) {
      fail(error, route, call);
    } finally {
      finish(route, source, call);
    }
  };
}

function enter(call: Call, phase: Phase): void {
  call.phase = phase;
  call.observer?.enter(phase);
}

interface Received {
  readonly source: RequestSource;
  readonly body: RequestBody;
  readonly accepts: readonly string[];
  readonly coverage: Coverage;
  readonly observer: RequestObserver | undefined;
}

function toHandlerRequest(route: Route, received: Received): HandlerRequest | HttpError {
  const { operation, validator, mediaTypes } = route;
  const { source, body, accepts, coverage, observer } = received;
  const parameters = route.readParameters(source);
  for (const [key, parameter] of route.deprecatedParameters) {
    if (parameters[key] !== undefined) observer?.sentDeprecated?.(parameter);
  }
  const { mediaType } = body;
  if (body.value instanceof SentItems) coverage.recorder?.follow(operation, body.mediaType, body.value);
  const record = coverage.recorder?.keep(operation, { parameters, mediaType, body: body.value });
  const values = validator.request({ parameters, mediaType, body: body.value });
  if (values instanceof HttpError) return values;
  record?.();
  const handled = { ...values, body: toHandlerBody(operation, body, values.body) };
  return mediaTypes.length > 1 ? { ...handled, accepts } : handled;
}

function assertReply({ id }: Operation, value: unknown): asserts value is Reply<string> {
  if (value instanceof Reply && value.operationId === id) return;
  throw new TypeError(`The handler of "${id}" must return one of its reply methods' replies`);
}
