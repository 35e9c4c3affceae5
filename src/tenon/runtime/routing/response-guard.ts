import { Readable } from "node:stream";
import type { Request } from "express";
import type { BaseOptions } from "./options.js";
import type { ItemSource, WrittenItems } from "../response/items.js";
import { Reply, type ReplyContent } from "../response/reply.js";
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

  const isSampled = (): boolean => {
    count += 1;
    return responseValidation !== "off" && (count - 1) % responseSampling === 0;
  };

  return (route, given, request) => {
    const { operation, validator, headers } = route;
    const removed = undeclaredProperties === "send" ? undefined : validator.removeUndeclared(given);
    const reply =
      removed === undefined ? given : new Reply(operation.id, given.status, removed.content, given.headers);
    const { status, content } = reply;
    const problems = [...(removed?.problems ?? NONE)];
    if (isSampled())
      problems.push(...validator.response({ status, content, headers: { ...headers, ...reply.headers } }));
    const report = (found: readonly string[]): void => {
      if (found.length === 0) return;
      onResponseProblem?.({ operationId: operation.id, status, problems: found }, request);
      if (responseValidation !== "enforce") return;
      // A stream that is not sent would stay open.
      if (content?.body instanceof Readable) content.body.destroy();
      throw new Error(`The response of "${operation.id}" is not as declared: ${found.join("; ")}`);
    };
    report(problems);
    return content?.kind === "items" ? withItems(reply, content) : reply;

    function withItems(itemReply: Reply<string>, { mediaType, kind, body }: ReplyContent): Reply<string> {
      const items = validator.findItems(status, mediaType);
      if (items === undefined) return itemReply;
      const toDeclared = (given: unknown): unknown => {
        const { item, problems: removals } =
          undeclaredProperties === "send" ? { item: given, problems: NONE } : items.remove(given);
        report([...removals, ...(isSampled() ? items.check(item) : NONE)]);
        return item;
      };
      const written = {
        format: items.format,
        events: items.events,
        source: body as ItemSource<unknown>,
        toDeclared,
      };
      return new Reply(
        operation.id,
        status,
        { mediaType, kind, body: written satisfies WrittenItems },
        itemReply.headers,
      );
    }
  };
}

const NONE: readonly string[] = [];
