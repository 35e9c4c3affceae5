import { Readable } from "node:stream";
import type { Request } from "express";
import type { BaseOptions } from "./options.js";
import type { Reply } from "../response/reply.js";
import type { Route } from "./route.js";

/**
 * Compares a reply with what its operation declares, before it is sent.
 * @throws when it is not as declared and is not to be sent.
 */
export type ResponseGuard = (route: Route, reply: Reply<string>, request: Request) => void;

type GuardOptions = Pick<
  BaseOptions<object, unknown>,
  "responseValidation" | "responseSampling" | "onResponseProblem"
>;

/** @returns undefined when validation is off. */
export function createResponseGuard({
  responseValidation = "enforce",
  responseSampling = 1,
  onResponseProblem,
}: GuardOptions): ResponseGuard | undefined {
  if (!Number.isInteger(responseSampling) || responseSampling < 1)
    throw new RangeError(`responseSampling must be a whole number from 1 on, found ${responseSampling}`);
  if (responseValidation === "off") return undefined;
  let count = 0;

  return (route, reply, request) => {
    const isSampled = count % responseSampling === 0;
    count += 1;
    if (!isSampled) return;
    const { operation, validator } = route;
    const { status, content, headers } = reply;
    const problems = validator.response({ status, content, headers: { ...route.headers, ...headers } });
    if (problems.length === 0) return;
    onResponseProblem?.({ operationId: operation.id, status, problems }, request);
    if (responseValidation === "enforce") {
      // A stream that is not sent would stay open.
      if (content?.body instanceof Readable) content.body.destroy();
      throw new Error(`The response of "${operation.id}" is not as declared: ${problems.join("; ")}`);
    }
  };
}
