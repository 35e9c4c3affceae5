import type { Request, Response } from "express";
import type { Phase } from "../errors/http-error.js";
import type { ObservedStream } from "../streams/item-stream.js";
import type { OperationDescriptor } from "../contract/operation.js";

/**
 * A request whose operation is known.
 * @example
 * const observe = ({ operation, response }: ObservedRequest) => {
 *   response.once("finish", () => {
 *     console.log(operation.id, response.statusCode);
 *   });
 *   return undefined;
 * };
 * app.use(createApi({ ...errors, observe, handlers, authenticators }));
 */
export interface ObservedRequest {
  readonly operation: OperationDescriptor;
  readonly request: Request;
  readonly response: Response;
}

/**
 * Observes one request to an operation, for metrics and traces. Its methods are called synchronously: they must not throw, and
 * their run time delays the request.
 * @example
 * const observe: Observe = ({ operation }) => {
 *   const start = performance.now();
 *   const observer: RequestObserver = {
 *     enter: (phase) => {
 *       console.log(operation.id, phase, performance.now() - start);
 *     },
 *     answered: () => {
 *       console.log(operation.id, "done", performance.now() - start);
 *     },
 *   };
 *   return observer;
 * };
 * app.use(createApi({ ...errors, observe, handlers, authenticators }));
 */
export interface RequestObserver {
  /** Called when a phase begins and the one before ends. Order: `authentication`, `request`, `handler`, `response`. */
  enter(phase: Phase): void;

  /** Called for each deprecated parameter of the request, in the phase `request`, after all parameters are read. */
  sentDeprecated?(parameter: ObservedParameter): void;

  /** Called when a handler has replied with a stream of items, before the first item. */
  streamBegan?(stream: ObservedStream): void;

  /** Called when the stream has ended, however it ended. */
  streamEnded?(stream: ObservedStream): void;

  /**
   * Called when the last phase has ended and the response was passed to Node. Its status is `response.statusCode`. The response
   * emits `close` when it is sent.
   */
  answered(): void;
}

/** A parameter that a request has. */
export interface ObservedParameter {
  readonly in: "path" | "query" | "querystring" | "header" | "cookie";
  readonly name: string;
}

/**
 * Creates the observer of a request. Called for each request to an operation, before its first phase. Return undefined to
 * observe nothing.
 * @example
 * const observe: Observe = ({ operation, request }) => {
 *   console.log(request.method, operation.path);
 *   return undefined;
 * };
 * app.use(createApi({ ...errors, observe, handlers, authenticators }));
 */
export type Observe = (observed: ObservedRequest) => RequestObserver | undefined;
