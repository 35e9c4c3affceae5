import { Readable } from "node:stream";
import type { Request } from "express";
import type { BaseOptions } from "./options.js";
import { Reply } from "../response/reply.js";
import type { Route } from "./route.js";

/**
 * Compares a reply with what its operation declares, before it is sent.
 * @returns the reply to send, without undeclared members.
 * @throws {Error} when it is not as declared and must not be sent.
 */
export type ResponseGuard = (route: Route, reply: Reply<string>, request: Request) => Reply<string>;

type GuardOptions = Pick<
  BaseOptions<object, unknown>,
  "responseValidation" | "responseSampling" | "undeclaredProperties" | "onResponseProblem"
>;

/** @throws {RangeError} when an option has another value. */
export function createResponseGuard({
  responseValidation = "enforce",
  responseSampling = 1,
  undeclaredProperties = "remove",
  onResponseProblem,
}: GuardOptions): ResponseGuard {
  if (!Number.isInteger(responseSampling) || responseSampling < 1)
    throw new RangeError(`responseSampling must be a whole number from 1 on, found ${responseSampling}`);
  if (!["remove", "send"].includes(undeclaredProperties))
    throw new RangeError(`undeclaredProperties must be "remove" or "send", found ${undeclaredProperties}`);
  let count = 0;

  return (route, given, request) => {
    const { operation, validator, headers } = route;
    const removed = undeclaredProperties === "send" ? undefined : validator.removeUndeclared(given);
    const reply =
      removed === undefined ? given : new Reply(operation.id, given.status, removed.content, given.headers);
    const { status, content } = reply;
    const problems = [...(removed?.problems ?? NONE)];
    if (responseValidation !== "off") {
      if (count % responseSampling === 0)
        problems.push(...validator.response({ status, content, headers: { ...headers, ...reply.headers } }));
      count += 1;
    }
    if (problems.length === 0) return reply;
    onResponseProblem?.({ operationId: operation.id, status, problems }, request);
    if (responseValidation === "enforce") {
      // A stream that is not sent would stay open.
      if (content?.body instanceof Readable) content.body.destroy();
      throw new Error(`The response of "${operation.id}" is not as declared: ${problems.join("; ")}`);
    }
    return reply;
  };
}

const NONE: readonly string[] = [];
