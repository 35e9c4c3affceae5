import { randomUUID } from "node:crypto";
import type { RetryOptions } from "../../client/attempts.js";
import { evaluateTemplate, type Exchange } from "../../core/http/index.js";
import type { OutgoingOperation } from "../../core/model/index.js";
import { createWrite } from "./write-event.js";
import { Deliveries, type DeliveryAttempt } from "./deliveries.js";
import type { DeadEvent, EventStore, StoredEvent } from "./event-store.js";
import { parseReceiverUrl, type Resolve, resolveHost } from "./receiver-address.js";
import type { AcceptedEvent, SendCallbacks, SendOptions, SendWebhooks } from "./sender-types.js";
import type { SignatureScheme } from "../signatures/signature.js";
import { standardWebhooks } from "../signatures/standard-webhooks.js";
import { readSentRequests, type WebhookContract } from "../webhook-contract.js";

/**
 * The options of {@link createWebhookSender}. Set `secret` or `signature`.
 * @example
 * const options: WebhookSenderOptions = {
 *   store: createSqliteEventStore(new DatabaseSync("events.db")),
 *   signature: async ({ receiver }) => standardWebhooks(await secrets.findFor(receiver)),
 * };
 */
export interface WebhookSenderOptions {
  /** Keeps the events until they are delivered. */
  readonly store: EventStore;
  /** Secrets of all receivers, see {@link standardWebhooks}. */
  readonly secret?: string | readonly string[];
  /** Another signature scheme, or a function that returns the one of an event's receiver before each attempt. */
  readonly signature?: SignatureScheme | ((event: StoredEvent) => SignatureScheme | Promise<SignatureScheme>);
  /**
   * Which failed attempts are repeated. A `Retry-After` counts up to `maxDelay`, and makes a dead letter if it is longer.
   * Default: 12 attempts after the first, over about 6 hours: `{ attempts: 12, delay: 10_000, maxDelay: 86_400_000 }`.
   */
  readonly retry?: RetryOptions;
  /** Milliseconds for a response to begin. Default: 15,000. */
  readonly timeout?: number;
  /** Maximum number of requests at the same time. Default: 10. */
  readonly concurrency?: number;
  /** Milliseconds between two searches for events of other processes. Default: 1,000. */
  readonly pollInterval?: number;
  /**
   * Hosts that may have private addresses and `http:`, as `host` or `host:port`. Default: none: receivers must have `https:` and
   * addresses of the internet.
   */
  readonly allowHosts?: readonly string[];
  /** Resolves host names to all their addresses. Default: that of the operating system. */
  readonly resolve?: Resolve;
  /** Clock in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  /** Called after each attempt. */
  readonly onAttempt?: (attempt: DeliveryAttempt) => void;
  /** Called when the store or `signature` fails. The event is tried again. Default: `console.error`. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Sends the webhooks and callbacks of a contract.
 * @example
 * const sender: WebhookSender<Webhooks, Callbacks> = createWebhookSender(webhooks, { secret, store: events });
 * sender.start();
 */
export interface WebhookSender<Webhooks, Callbacks> {
  /** Sends a webhook: `send.petSold({ url, body })`. */
  readonly send: SendWebhooks<Webhooks>;
  /** Sends a callback: `callbacks.createOrder.orderShipped({ exchange, body })`. */
  readonly callbacks: SendCallbacks<Callbacks>;
  /** Starts to deliver events, also those that were stored before. Without it, events are only stored. */
  start(): void;
  /** Makes one attempt for each event that is due, and waits for the results: for jobs that run now and then, instead of `start`. */
  deliverDue(): Promise<void>;
  /** Ends the running attempts. Their events are delivered after the next start. */
  stop(): Promise<void>;
  /** Lists events that are no longer delivered, the oldest first. Default limit: 100. */
  listDead(limit?: number): Promise<readonly DeadEvent[]>;
  /** Delivers a dead letter again, with the same id. @returns false if there is no such dead letter. */
  redeliver(id: string): Promise<boolean>;
}

/**
 * Creates a sender of webhooks. An event is validated and stored when it is sent, and then delivered at least once: signed anew for
 * each attempt, without following redirects, and to no private address.
 *
 * Failed attempts are repeated with growing random delays. Events whose attempts are used up, and those of receivers that respond 410
 * or have a private address, become dead letters.
 * @throws {Error} when the contract cannot be read, or not exactly one of `secret` and `signature` is set.
 * @example
 * const sender = createWebhookSender(webhooks, {
 *   secret: process.env["WEBHOOK_SECRET"] ?? "",
 *   store: createSqliteEventStore(new DatabaseSync("events.db")),
 * });
 * sender.start();
 * await sender.send.petSold({ url: "https://client.example/hooks/petSold", body: { name: "Rex", categoryId: 1 } });
 */
export function createWebhookSender<Webhooks, Callbacks>(
  webhooks: WebhookContract<Webhooks, Callbacks>,
  options: WebhookSenderOptions,
): WebhookSender<Webhooks, Callbacks> {
  const sent = readSentRequests(webhooks);
  const { store, now = Date.now, resolve = resolveHost } = options;
  const { timeout = 15_000, concurrency = 10, pollInterval = 1_000, retry } = options;
  const { onAttempt = () => undefined, onError = logError } = options;
  const allowed = new Set(options.allowHosts);
  const scheme = toScheme(options);
  const deliveries = new Deliveries({
    ...{ store, now, resolve, allowed, timeout, concurrency, pollInterval, onAttempt, onError },
    toScheme: typeof scheme === "function" ? scheme : () => scheme,
    retry: { attempts: 12, delay: 10_000, maxDelay: 86_400_000, ...retry },
  });
  const write = createWrite(sent.contract, typeof scheme === "function" ? [] : scheme.headers);

  const add = (operation: OutgoingOperation, label: string, event: SentEvent): Promise<AcceptedEvent> => {
    const { href: url } = parseReceiverUrl(event.url, allowed);
    const { id = `msg_${randomUUID().replaceAll("-", "")}`, receiver } = event;
    // An id that the scheme cannot sign would fail in each attempt.
    if (typeof scheme !== "function" && event.id !== undefined)
      scheme.sign({ id, timestamp: 0, body: new Uint8Array() });
    const stored = store.add({
      ...{ id, name: label, method: operation.method, url, receiver, createdAt: now(), attempts: 0 },
      ...write(operation, event),
    });
    // Not awaited before: a synchronous store is to store it within the caller's transaction.
    return Promise.resolve(stored).then(() => {
      deliveries.wake();
      return { id };
    });
  };

  return {
    send: toSends(sent.webhooks, add) as unknown as SendWebhooks<Webhooks>,
    callbacks: Object.fromEntries(
      [...sent.callbacks].map(([id, operations]) => [id, toCallbacks(id, operations, add)]),
    ) as unknown as SendCallbacks<Callbacks>,
    start: () => {
      deliveries.start();
    },
    deliverDue: () => deliveries.deliverDue(),
    stop: () => deliveries.stop(),
    listDead: async (limit = 100) => store.listDead(limit),
    redeliver: async (id) => {
      const isFound = await store.revive(id, now());
      if (isFound) deliveries.wake();
      return isFound;
    },
  };
}

function logError(error: unknown): void {
  // eslint-disable-next-line no-console -- the only log that every process has
  console.error("The sender of webhooks failed:", error);
}

/** An event as a caller sends it. */
interface SentEvent extends SendOptions {
  readonly url: string;
  readonly body?: unknown;
  readonly method?: string;
}

type Add = (operation: OutgoingOperation, label: string, event: SentEvent) => Promise<AcceptedEvent>;

function toScheme({
  secret,
  signature,
}: WebhookSenderOptions):
  SignatureScheme | ((event: StoredEvent) => SignatureScheme | Promise<SignatureScheme>) {
  if ((secret === undefined) === (signature === undefined))
    throw new TypeError("Set one of `secret` and `signature`");
  return signature ?? standardWebhooks(secret ?? []);
}

function toSends(operations: readonly OutgoingOperation[], add: Add): Readonly<Record<string, unknown>> {
  const names = new Set(operations.map(({ outgoing }) => outgoing.name));
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      (event: SentEvent) => add(findOne(operations, { name, ...event }), name, event),
    ]),
  );
}

function toCallbacks(
  operationId: string,
  operations: readonly OutgoingOperation[],
  add: Add,
): Readonly<Record<string, unknown>> {
  const names = new Set(operations.map(({ outgoing }) => outgoing.name));
  const toSend = (name: string) => (event: SentEvent & { exchange: Exchange; expression?: string }) => {
    const operation = findOne(operations, { name, ...event });
    const { expression = "" } = operation.outgoing;
    const url = evaluateTemplate(expression, event.exchange);
    if (url === undefined)
      throw new TypeError(`The exchange has no value for ${expression}, the URL of "${name}"`);
    return add(operation, `${operationId}.${name}`, { ...event, url });
  };
  return Object.fromEntries([...names].map((name) => [name, toSend(name)]));
}

/** @throws {TypeError} when several methods or expressions are declared, and the caller does not choose one. */
function findOne(
  operations: readonly OutgoingOperation[],
  {
    name,
    method,
    expression,
  }: { readonly name: string; readonly method?: string; readonly expression?: string },
): OutgoingOperation {
  const [found, ...others] = operations.filter(
    ({ outgoing }) =>
      outgoing.name === name &&
      (method === undefined || outgoing.method === method) &&
      (expression === undefined || outgoing.expression === expression),
  );
  if (found === undefined || others.length > 0)
    throw new TypeError(
      `"${name}" ${found ? "has several methods or expressions; choose one" : "has no such method or expression"}`,
    );
  return found;
}
