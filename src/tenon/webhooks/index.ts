/** Receives and sends the webhooks and callbacks of a contract. */
export {
  createEventMemory,
  type EventMemory,
  type EventMemoryOptions,
  type EventState,
} from "./receive/event-memory.js";
export { type ClaimOptions, type DeadEvent, type EventStore, type StoredEvent } from "./send/event-store.js";
export type { EventSource } from "./receive/find-event.js";
export { hmacSignature, type HmacSignatureOptions } from "./signatures/hmac-signature.js";
export {
  createCallbacks,
  createWebhooks,
  type RefusedWebhook,
  type UnknownWebhook,
  type WebhookOptions,
} from "./receive/receiver.js";
export type {
  ReceivedWebhook,
  WebhookHandler,
  WebhookHandlers,
  WebhookReplies,
} from "./receive/receiver-types.js";
export type {
  RefusalReason,
  SignatureScheme,
  SignedMessage,
  SignedRequest,
  VerifiedMessage,
} from "./signatures/signature.js";
export type { DeliveryAttempt } from "./send/deliveries.js";
export { createWebhookSender, type WebhookSender, type WebhookSenderOptions } from "./send/sender.js";
export type { AcceptedEvent, SendCallbacks, SendOptions, SendWebhooks } from "./send/sender-types.js";
export {
  createSqliteEventMemory,
  createSqliteEventStore,
  type SqliteConnection,
  type SqliteStatement,
} from "./sqlite.js";
export { standardWebhooks } from "./signatures/standard-webhooks.js";
export type { WebhookContract } from "./webhook-contract.js";
