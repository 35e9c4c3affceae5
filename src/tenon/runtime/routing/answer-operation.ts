import type { Request, Response } from "express";
import type { BaseOptions } from "../options.js";
import { NO_BODY, type RequestBody, toHandlerBody } from "../body/body.js";
import { copyPlain, type CoverageRecorder } from "../coverage-recorder.js";
import type { AnswerError } from "../errors/errors.js";
import { HttpError, type Phase } from "../errors/http-error.js";
import type { RequestObserver } from "./observe.js";
import type { OperationDescriptor } from "../operation.js";
import { RawReply, Reply } from "../response/reply.js";
import type { RequestSource } from "./request-source.js";
import { respondWhole } from "../response/respond.js";
import { createResponseGuard } from "../validation/response-guard.js";
import type { HandlerRequest, Route } from "./route.js";

/** A request on its way, and how far it has come. */
export interface Call {
  readonly request: Request;
  readonly response: Response;
  phase: Phase;
  operation: OperationDescriptor | undefined;
  observer: RequestObserver | undefined;
}

/** Answers a request to an operation. The promise settles when it is answered, and never rejects: what fails is answered too. */
export type AnswerOperation = (route: Route, source: RequestSource, call: Call) => Promise<void>;

/**
 * A request is authenticated, read, validated, handled and its answer validated, in this order; each step ends in an answer
 * of the contract.
 */
export function createOperationAnswer(
  options: BaseOptions<object, unknown>,
  answerError: AnswerError,
  coverage: CoverageRecorder | undefined,
): AnswerOperation {
  const check = createResponseGuard(options);
  const now = options.now ?? Date.now;
  const { maxInFlight = Infinity } = options;
  let inFlight = 0;

  return async (route, source, call) => {
    // In one function, so that nothing is caught late: a promise that is rejected before anybody listens is dear.
    try {
      const { request, response } = call;
      call.observer = options.observe?.({ operation: route.operation, request, response });
      enter(call, "authentication");
      const authenticated = route.authenticate(source);
      const auth = authenticated instanceof Promise ? await authenticated : authenticated;
      response.locals["auth"] = auth;
      const admitted = options.admit?.({ operationId: route.operation.id, auth, request, response });
      if (admitted !== undefined) await admitted;

      enter(call, "request");
      route.deprecation?.assertNotGone(now());
      const accepts = toAccepts(route, request);
      const body = route.readBody === undefined ? NO_BODY : await route.readBody(request, response);
      const { observer } = call;
      const handled = toHandlerRequest(route, { source, body, accepts, coverage, observer });

      enter(call, "handler");
      if (route.handler === undefined) throw new HttpError("not_implemented");
      const context = { ...options.context?.(request, response), auth };
      // Here and not when a request arrives: callers that send a body slowly, or read an answer slowly, take nobody's place.
      if (inFlight >= maxInFlight)
        throw HttpError.refusal("unavailable", { headers: { "Retry-After": "1" } });
      inFlight += 1;
      let reply: unknown;
      try {
        reply = await route.handler(handled, route.replies, context, request);
      } finally {
        inFlight -= 1;
      }
      assertReply(route.operation, reply);

      enter(call, "response");
      if (reply instanceof RawReply) {
        await reply.send(response);
      } else {
        check?.(route, reply, request);
        coverage?.reply(route.operation, reply);
        const sending = respondWhole(response, reply);
        if (sending !== undefined) await sending;
      }
    } catch (error) {
      answerError(error, call);
    }
    call.observer?.answered();
    coverage?.answered(route.operation, source, call.request, call.response);
  };
}

function enter(call: Call, phase: Phase): void {
  call.phase = phase;
  call.observer?.enter(phase);
}

/** The media types that the request accepts of those that the contract leaves a choice of. */
function toAccepts({ mediaTypes, negotiate }: Route, { headers }: Request): readonly string[] {
  if (mediaTypes.length === 0) return mediaTypes;
  const accepts = negotiate(headers.accept ?? "");
  if (accepts.length > 0) return accepts;
  throw HttpError.refusal("not_acceptable", { message: `Accept must allow ${mediaTypes.join(" or ")}` });
}

interface Received {
  readonly source: RequestSource;
  readonly body: RequestBody;
  readonly accepts: readonly string[];
  readonly coverage: CoverageRecorder | undefined;
  readonly observer: RequestObserver | undefined;
}

function toHandlerRequest(route: Route, received: Received): HandlerRequest {
  const { operation, validator, mediaTypes } = route;
  const { source, body, accepts, coverage, observer } = received;
  const parameters = route.readParameters(source);
  for (const [key, parameter] of route.deprecatedParameters) {
    if (parameters[key] !== undefined) observer?.sentDeprecated?.(parameter);
  }
  const { mediaType } = body;
  // Before defaults are put in.
  const sent = coverage && copyPlain({ parameters, mediaType, body: body.value });
  const values = validator.request({ parameters, mediaType, body: body.value });
  if (sent) coverage.request(operation, sent);
  return {
    path: values.path,
    query: values.query,
    headers: values.headers,
    cookies: values.cookies,
    body: body === NO_BODY ? undefined : toHandlerBody(operation, body, values.body),
    ...(mediaTypes.length > 1 && { accepts }),
  };
}

function assertReply({ id }: OperationDescriptor, value: unknown): asserts value is Reply<string> {
  if (value instanceof Reply && value.operationId === id) return;
  throw new TypeError(`The handler of "${id}" must return one of its reply methods' replies`);
}
