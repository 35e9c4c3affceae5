/** Receives and sends the webhooks and callbacks of a contract. */
export {
  createEventMemory,
  type EventMemory,
  type EventMemoryOptions,
  type EventState,
} from "./event-memory.js";
export { type ClaimOptions, type DeadEvent, type EventStore, type StoredEvent } from "./event-store.js";
export type { EventSource } from "./find-event.js";
export { hmacSignature, type HmacSignatureOptions } from "./hmac-signature.js";
export {
  createCallbacks,
  createWebhooks,
  type RefusedWebhook,
  type UnknownWebhook,
  type WebhookOptions,
} from "./receiver.js";
export type { ReceivedWebhook, WebhookHandler, WebhookHandlers, WebhookReplies } from "./receiver-types.js";
export type {
  RefusalReason,
  SignatureScheme,
  SignedMessage,
  SignedRequest,
  VerifiedMessage,
} from "./signature.js";
export type { DeliveryAttempt } from "./deliveries.js";
export { createWebhookSender, type WebhookSender, type WebhookSenderOptions } from "./sender.js";
export type { AcceptedEvent, SendCallbacks, SendOptions, SendWebhooks } from "./sender-types.js";
export {
  createSqliteEventMemory,
  createSqliteEventStore,
  type SqliteConnection,
  type SqliteStatement,
} from "./sqlite.js";
export { standardWebhooks } from "./standard-webhooks.js";
export type { WebhookContract } from "./webhook-contract.js";
