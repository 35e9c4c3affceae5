import type { Request } from "express";
import { declaresLastEventId } from "../../core/model/index.js";
import type { BaseOptions } from "./options.js";
import type { ItemSource, WrittenItems } from "../response/items.js";
import { isReadable, Reply, type ReplyContent } from "../response/reply.js";
import { Removals } from "../validation/removal.js";
import type { Route } from "./route.js";

/**
 * Compares a reply with what its operation declares, before it is sent.
 * @returns the reply to send, without undeclared members.
 * @throws {Error} when it is not as declared and must not be sent.
 */
export type ResponseGuard = (route: Route, reply: Reply<string>, request: Request) => Reply<string>;

type GuardOptions = Pick<
  BaseOptions<object, unknown>,
  "responseValidation" | "responseSampling" | "itemSampling" | "undeclaredProperties" | "onResponseProblem"
>;

/** @throws {RangeError} when an option has another value. */
export function createResponseGuard({
  responseValidation = "enforce",
  responseSampling = 1,
  itemSampling = responseSampling,
  undeclaredProperties = "remove",
  onResponseProblem,
}: GuardOptions): ResponseGuard {
  for (const [name, value] of Object.entries({ responseSampling, itemSampling }))
    if (!Number.isInteger(value) || value < 1)
      throw new RangeError(`${name} must be a whole number from 1 on, found ${value}`);
  if (!["remove", "send"].includes(undeclaredProperties))
    throw new RangeError(`undeclaredProperties must be "remove" or "send", found ${undeclaredProperties}`);
  const isSampled = sample(responseSampling);
  const isItemSampled = sample(itemSampling);

  return (route, given, request) => {
    const { operation, validator, headers } = route;
    const removed = undeclaredProperties === "send" ? undefined : validator.removeUndeclared(given);
    const reply =
      removed === undefined ? given : new Reply(operation.id, given.status, removed.content, given.headers);
    const { status, content } = reply;
    const problems = [...(removed?.problems ?? NONE)];
    if (responseValidation !== "off" && isSampled())
      problems.push(...validator.response({ status, content, headers: { ...headers, ...reply.headers } }));
    const report = (found: readonly string[], item?: number): void => {
      if (found.length === 0) return;
      const problem = { operationId: operation.id, status, problems: found };
      onResponseProblem?.(item === undefined ? problem : { ...problem, item }, request);
      if (responseValidation !== "enforce") return;
      // A stream that is not sent would stay open.
      if (isReadable(content?.body)) content.body.destroy();
      const subject = item === undefined ? "The response" : `Item ${item} of the response`;
      throw new Error(`${subject} of "${operation.id}" is not as declared: ${found.join("; ")}`);
    };
    report(problems);
    return content?.kind === "items" ? withItems(reply, content) : reply;

    function withItems(itemReply: Reply<string>, { mediaType, kind, body }: ReplyContent): Reply<string> {
      const items = validator.findItems(status, mediaType);
      if (items === undefined) return itemReply;
      if (items.parts?.whole && responseValidation !== "off" && Array.isArray(body))
        report(items.checkWhole(body));
      const formatter = items.createFormatter();
      const unreported = new Removals();
      const write = (value: unknown, index: number): string => {
        const isReported = isItemSampled();
        const removals = isReported ? new Removals() : unreported;
        const item = undeclaredProperties === "send" ? value : items.remove(value, removals);
        if (isReported)
          report(
            [...removals.problems, ...(responseValidation === "off" ? NONE : items.check(item, index))],
            index,
          );
        return formatter.format(item, index);
      };
      const written: WrittenItems = {
        source: body as ItemSource<unknown>,
        format: items.format,
        resumes: declaresLastEventId(operation),
        write,
        end: formatter.end ?? NO_TEXT,
      };
      const contentType = formatter.toContentType?.(mediaType) ?? mediaType;
      return new Reply(
        operation.id,
        status,
        { mediaType: contentType, kind, body: written },
        itemReply.headers,
      );
    }
  };
}

/** Creates a function that returns true for one in N calls. */
function sample(n: number): () => boolean {
  let count = 0;
  return () => {
    count += 1;
    return (count - 1) % n === 0;
  };
}

const NONE: readonly string[] = [];
const NO_TEXT = (): string => "";
