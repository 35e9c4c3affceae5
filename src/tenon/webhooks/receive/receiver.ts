import type { Request, RequestHandler, Response } from "express";
import { getMember } from "../../core/document/null-object.js";
import type { OutgoingOperation } from "../../core/model/index.js";
import { createByteReader } from "../../runtime/body/read-bytes.js";
import { createErrorSender, type ErrorOptions } from "../../runtime/errors/send-error.js";
import { HttpError, unavailable } from "../../runtime/errors/http-error.js";
import { splitTarget } from "../../runtime/routing/match.js";
import { createEventMemory, type EventMemory } from "./event-memory.js";
import { createFindEvent, type EventSource } from "./find-event.js";
import { createOnce } from "./handle-once.js";
import type { WebhookHandlers } from "./receiver-types.js";
import type { RefusalReason, SignatureScheme } from "../signatures/signature.js";
import { createVerification } from "./verification.js";
import { readSentRequests, type SentRequests, type WebhookContract } from "../webhook-contract.js";
import { createWebhookRouter, type Received, toEvent, type WebhookFunction } from "./webhook-router.js";

/**
 * A verified request that no handler is for: its event is unknown to the contract, or has no handler.
 * @example
 * const unknown = ({ name, body }: UnknownWebhook) => {
 *   console.warn(`Kept the event ${name ?? "without a name"}`, body.byteLength);
 * };
 */
export interface UnknownWebhook {
  /** The sender's name of the event; undefined if the request has none. */
  readonly name: string | undefined;
  /** The bytes of the body, which is not validated. */
  readonly body: Buffer;
  readonly id: string | undefined;
  readonly timestamp: Date | undefined;
  readonly request: Request;
}

/**
 * A request that got 401, for the log.
 * @example
 * const onRefused = ({ reason, request }: RefusedWebhook) => {
 *   console.warn(`Refused a webhook of ${request.ip ?? ""}: ${reason}`);
 * };
 */
export interface RefusedWebhook {
  readonly reason: RefusalReason;
  readonly request: Request;
}

/**
 * The options of {@link createWebhooks}. Set `secret` or `signature`.
 * @example
 * const options: WebhookOptions<Webhooks> = {
 *   secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
 *   handlers: {
 *     petSold: async ({ body }) => {
 *       await store.insert(body);
 *     },
 *   },
 *   unknown: ({ name, body }) => console.warn(name, body.byteLength),
 * };
 */
export interface WebhookOptions<Items> extends Partial<ErrorOptions> {
  /** Secrets of the sender, see {@link standardWebhooks}; several ones while a secret is rotated. */
  readonly secret?: string | readonly string[];
  /** Another signature scheme. `none` accepts every request, for senders that do not sign. */
  readonly signature?: SignatureScheme | "none";
  readonly handlers: WebhookHandlers<Items>;
  /** Keeps the requests that no handler is for. They get 204, or 500 if it throws, so that they are sent again. */
  readonly unknown: (webhook: UnknownWebhook) => void | Promise<void>;
  /** The part of a request that names its webhook. Default: not needed for a single webhook; with several ones, `path`. */
  readonly event?: EventSource;
  /** Remembers handled events. Default: 10,000 events in this process. */
  readonly memory?: EventMemory;
  /** Replay window: the maximum difference between the signed time and the clock, in milliseconds. Default: 5 minutes. */
  readonly tolerance?: number;
  /** Clock in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  /** Largest body in bytes. Default: 1,048,576. */
  readonly bodyLimit?: number;
  /** Called for each request that got 401. */
  readonly onRefused?: (refused: RefusedWebhook) => void;
}

/**
 * Creates an Express middleware that receives the webhooks of a contract. It verifies the signature of the bytes, finds the event,
 * validates the request by the contract, and calls the handler once per event. Mount it before body parsers, which would discard the
 * bytes.
 *
 * An invalid signature gets 401 without the reason, and an event that was handled before gets a success without a second call.
 * @throws {Error} when the contract cannot be read, a handler is for an unknown webhook, or neither `secret` nor `signature` is set.
 * @example
 * const receiver = createWebhooks(webhooks, {
 *   secret: process.env["WEBHOOK_SECRET"] ?? "",
 *   handlers: {
 *     petSold: async ({ body }) => {
 *       await store.insert(body);
 *     },
 *   },
 *   unknown: ({ name }) => console.warn("Unknown event", name),
 * });
 * app.use("/hooks", receiver);
 */
export function createWebhooks<Webhooks, Callbacks>(
  webhooks: WebhookContract<Webhooks, Callbacks>,
  options: WebhookOptions<Webhooks>,
): RequestHandler {
  const sent = readSentRequests(webhooks);
  return createReceiver(sent, sent.webhooks, options);
}

/**
 * Creates the same middleware for the callbacks of an operation, in the service that calls it.
 * @param operationId The operation of the request whose callbacks are received.
 * @throws {Error} like {@link createWebhooks}.
 * @example
 * const receiver = createCallbacks(webhooks, "createOrder", {
 *   signature: "none",
 *   handlers: {
 *     orderShipped: async ({ body }) => {
 *       await store.insert(body);
 *     },
 *   },
 *   unknown: ({ name }) => console.warn("Unknown callback", name),
 * });
 * app.use("/callbacks", receiver);
 */
export function createCallbacks<Webhooks, Callbacks, Id extends keyof Callbacks & string>(
  webhooks: WebhookContract<Webhooks, Callbacks>,
  operationId: Id,
  options: WebhookOptions<Callbacks[Id]>,
): RequestHandler {
  const sent = readSentRequests(webhooks);
  return createReceiver(sent, sent.callbacks.get(operationId) ?? [], options);
}

/** The options of any receiver. */
export interface ReceiverOptions extends Omit<WebhookOptions<unknown>, "handlers"> {
  readonly handlers: object;
}

export function createReceiver(
  { contract }: SentRequests,
  operations: readonly OutgoingOperation[],
  options: ReceiverOptions,
): RequestHandler {
  const { bodyLimit = 1_048_576, event, unknown, now = Date.now, memory = createEventMemory() } = options;
  const { errorBody = ({ code, message, status }) => ({ code, message, status }) } = options;
  const handlers = options.handlers as Readonly<Record<string, WebhookFunction | undefined>>;
  assertHandlers(Object.keys(handlers), operations);
  const verify = createVerification(options, now);
  const findEvent = createFindEvent(operations, contract, event);
  const readBody = createByteReader(bodyLimit);
  const sendError = createErrorSender({ ...options, errorBody });
  const received: Received = new WeakMap();
  const once = createOnce(memory, now);
  const routed = operations.filter(({ outgoing }) => getMember(handlers, outgoing.name) !== undefined);
  const router = createWebhookRouter(contract, routed, {
    ...options,
    errorBody,
    bodyLimit,
    handlers,
    received,
    once,
  });

  async function receive(request: Request, response: Response): Promise<boolean> {
    const { "content-encoding": coding = "identity" } = request.headers;
    if (coding !== "identity")
      throw HttpError.refusal("unsupported_media_type", { message: "Content-Encoding must be identity" });
    const body = await readBody(request);
    const verified = verify(request, body);
    received.set(request, verified);
    const name = findEvent(request, body);
    const declared = routed.filter(({ outgoing }) => outgoing.name === name);
    if (name !== undefined && declared.length > 0) {
      const methods = declared.map(({ method }) => method.toUpperCase());
      if (!methods.includes(request.method))
        throw HttpError.refusal("method_not_allowed", { headers: { Allow: methods.join(", ") } });
      const { query } = splitTarget(request.url);
      request.body = body;
      request.url = `/${encodeURIComponent(name)}${query === "" ? "" : `?${query}`}`;
      return true;
    }
    const { id, timestamp } = toEvent(verified);
    const handle = async () => {
      await unknown({ name, body, id, timestamp, request });
      return true;
    };
    if ((await once(verified, handle, (handled) => handled)) === "busy") throw unavailable();
    response.status(204).end();
    return false;
  }

  return (request, response, next) => {
    receive(request, response).then(
      (isRouted) => {
        if (isRouted) router(request, response, next);
      },
      (error: unknown) => {
        sendError(error, {
          request,
          response,
          phase: error instanceof HttpError ? "authentication" : "handler",
        });
      },
    );
  };
}

/** @throws {Error} that names a handler without a webhook. */
function assertHandlers(names: readonly string[], operations: readonly OutgoingOperation[]): void {
  const unknown = names.find((name) => !operations.some(({ outgoing }) => outgoing.name === name));
  if (unknown !== undefined)
    throw new Error(`The contract has no webhook or callback ${JSON.stringify(unknown)}`);
}
