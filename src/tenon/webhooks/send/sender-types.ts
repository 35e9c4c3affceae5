import type { Exchange } from "../../core/http/index.js";
import type { RequestsOf, SentRequest } from "../receive/receiver-types.js";

/**
 * The result of sending: the event is stored.
 * @example
 * const { id }: AcceptedEvent = await sender.send.petSold({ url, body });
 */
export interface AcceptedEvent {
  /** The id that the receiver gets in every attempt. */
  readonly id: string;
}

/**
 * The optional parts of an event.
 * @example
 * const options: SendOptions = { receiver: "client-1", headers: { "X-Tenant": "3" } };
 */
export interface SendOptions {
  /** Headers that the contract declares, besides those of the signature. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Your name for the receiver, which {@link WebhookSenderOptions.signature} gets; for example the id of a subscription. */
  readonly receiver?: string;
  /** Default: random. With the id of a stored event, the store refuses it. */
  readonly id?: string;
}

type BodyOf<Request> = Request extends SentRequest ? Request["body"] : never;
type MethodOf<Request> = Request extends { readonly method: infer Method } ? Method : never;

/** The body, which may be left out if there is none, and the method if there are several. */
export type SentBody<Item> = (undefined extends BodyOf<RequestsOf<Item>>
  ? { readonly body?: BodyOf<RequestsOf<Item>> }
  : { readonly body: BodyOf<RequestsOf<Item>> }) & {
  /** Needed only if the contract declares several methods. */
  readonly method?: MethodOf<RequestsOf<Item>>;
};

/**
 * Functions that send webhooks, by name.
 * @example
 * const send: SendWebhooks<Webhooks> = sender.send;
 * await send.petSold({ url: "https://client.example/hooks", body });
 */
export type SendWebhooks<Webhooks> = {
  /**
   * Validates and stores an event, which is then delivered. With a synchronous store, it is stored when the function returns: in
   * the transaction that is open.
   * @throws {TypeError} when body, headers or URL are not valid.
   */
  readonly [Name in keyof Webhooks & string]: (
    event: SendOptions & { readonly url: string } & SentBody<Webhooks[Name]>,
  ) => Promise<AcceptedEvent>;
};

/**
 * Functions that send callbacks, by operation and name.
 * @example
 * const callbacks: SendCallbacks<Callbacks> = sender.callbacks;
 * await callbacks.createOrder.orderShipped({ exchange: { request: { body: { url } } }, body });
 */
export type SendCallbacks<Callbacks> = {
  readonly [Id in keyof Callbacks & string]: {
    /**
     * Evaluates the URL of the callback, and sends it like a webhook.
     * @throws {TypeError} when body, headers or URL are not valid, or `exchange` has no value for the URL.
     */
    readonly [Name in keyof Callbacks[Id] & string]: (
      event: SendOptions & {
        /** The request and the response that the URL is in: the `request` of a handler is its `request` here. */
        readonly exchange: Exchange;
        /** Needed only if the contract declares several. */
        readonly expression?: keyof Callbacks[Id][Name];
      } & SentBody<Callbacks[Id][Name]>,
    ) => Promise<AcceptedEvent>;
  };
};
