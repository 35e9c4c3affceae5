import type { Request, Response } from "express";
import type { Phase } from "../errors/http-error.js";
import type { OperationDescriptor, ParameterDescriptor } from "../operation.js";

/** A request whose operation is known. */
export interface ObservedRequest {
  readonly operation: OperationDescriptor;
  readonly request: Request;
  readonly response: Response;
}

/**
 * Watches one request to an operation, for metrics and traces. Its methods are called in the moment in which something happens;
 * they must not throw, and what they take is added to the request.
 */
export interface RequestObserver {
  /** A phase begins, and with it the one before has ended: `authentication`, `request`, `handler`, `response`, in this order. */
  enter(phase: Phase): void;

  /** The request has a deprecated parameter. Called for each in the phase `request`, once all parameters are read. */
  sentDeprecated?(parameter: ParameterDescriptor): void;

  /**
   * The last phase has ended: the answer is in Node's hands, with the status of `response.statusCode`. The response's `close`
   * tells when it is sent.
   */
  answered(): void;
}

/** Called for each request to an operation before its first phase. @returns what watches it; undefined where nothing does. */
export type Observe = (observed: ObservedRequest) => RequestObserver | undefined;
