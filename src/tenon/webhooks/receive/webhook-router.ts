import type { Request } from "express";
import { NullObject } from "../../core/document/null-object.js";
import type { Contract, OutgoingOperation, Response as DeclaredResponse } from "../../core/model/index.js";
import { unavailable } from "../../runtime/errors/http-error.js";
import type { ErrorOptions } from "../../runtime/errors/send-error.js";
import { RawReply } from "../../runtime/response/reply.js";
import type { Handler } from "../../runtime/routing/route.js";
import { type ContractRouter, createRouter } from "../../runtime/routing/router.js";
import type { Once } from "./handle-once.js";
import type { VerifiedMessage } from "../signatures/signature.js";

/** The events that are being received, by their requests. */
export type Received = WeakMap<Request, VerifiedMessage>;

/** The id and the time of an event, as handlers get them. */
export function toEvent({ id, timestamp }: VerifiedMessage): {
  readonly id: string | undefined;
  readonly timestamp: Date | undefined;
} {
  return { id, timestamp: timestamp === undefined ? undefined : new Date(timestamp * 1_000) };
}

/** A handler as the receiver calls it. */
export type WebhookFunction = (webhook: object, reply: object) => unknown;

interface WebhookRouterOptions extends ErrorOptions {
  readonly bodyLimit: number;
  readonly handlers: Readonly<Record<string, WebhookFunction | undefined>>;
  readonly received: Received;
  readonly once: Once;
}

/** Creates the router that validates the requests, calls the handlers and validates their replies. */
export function createWebhookRouter(
  contract: Contract,
  sent: readonly OutgoingOperation[],
  { bodyLimit, handlers, received, once, ...errors }: WebhookRouterOptions,
): ContractRouter {
  const operations = sent.map((operation) => ({
    ...operation,
    responses: operation.responses.map(toSingle),
  }));
  const byId = new NullObject() as Record<string, Handler>;
  for (const operation of operations) {
    const { id, method, responses, outgoing } = operation;
    const { name } = outgoing;
    const success = responses.find(({ status }) => status.startsWith("2"));
    const acknowledge = () =>
      new RawReply(id, (response) => {
        response.writeHead(/^2\d\d$/.test(success?.status ?? "") ? Number(success?.status) : 204).end();
      });
    byId[id] = async ({ body, query, headers }, reply, _context, incoming) => {
      const verified = received.get(incoming) ?? {};
      const webhook = { name, method, body, query, headers, ...toEvent(verified) };
      const run = async () => ((await handlers[name]?.(webhook, reply)) ?? acknowledge()) as RawReply<string>;
      const result = await once(verified, run, ({ status }) => status < 300);
      if (result === "busy") throw unavailable();
      return result === "done" ? acknowledge() : result;
    };
  }
  const receiving = {
    ...contract,
    basePath: "",
    basePaths: [""],
    operations,
    security: [],
    securitySchemes: [],
  };
  return createRouter(receiving, { ...errors, bodyLimit, handlers: byId });
}

/** Keeps the first media type: the generated types have one reply method for each status. */
function toSingle({ mediaTypes, ...response }: DeclaredResponse): DeclaredResponse {
  return { ...response, mediaTypes: mediaTypes.slice(0, 1) };
}
