import type { Reply, ReplyOptions } from "../../runtime/response/reply.js";
import type { ReplyHeaders } from "../../runtime/http/send-whole.js";

/** The generated type of one request: `Webhooks["petSold"]["post"]`. */
export interface SentRequest {
  /** Absent if the contract declares no query parameters. */
  readonly query?: object;
  /** Absent if the contract declares no headers. */
  readonly headers?: object;
  readonly body: unknown;
  readonly replies: object;
}

/** The union of the requests of a webhook by method, `{ post: … }`, and of a callback, `{ "{$request.body#/url}": { post: … } }`. */
export type RequestsOf<Item> = {
  [Key in keyof Item]: Item[Key] extends SentRequest
    ? Item[Key] & { readonly method: Key }
    : RequestsOf<Item[Key]>;
}[keyof Item];

/**
 * A verified and validated webhook, the argument of its handler.
 * @example
 * const log = ({ name, id, timestamp }: ReceivedWebhook<unknown, "post">) => {
 *   console.log(name, id, timestamp?.toISOString());
 * };
 */
export interface ReceivedWebhook<
  Body,
  Method,
  Query = Readonly<Record<string, unknown>>,
  Headers = Readonly<Record<string, unknown>>,
> {
  readonly name: string;
  readonly method: Method;
  /** The body as the contract declares it. */
  readonly body: Body;
  /** The declared query parameters. */
  readonly query: Query;
  /** The declared headers, by lower-case name. */
  readonly headers: Headers;
  /** Identifies the event, the same in every repetition; undefined if the signature scheme has none. */
  readonly id: string | undefined;
  /** Signed time of this attempt; undefined if the signature scheme has none. */
  readonly timestamp: Date | undefined;
}

type ReceivedBy<Request> = Request extends SentRequest & { readonly method: infer Method }
  ? ReceivedWebhook<Request["body"], Method, MemberOf<Request, "query">, MemberOf<Request, "headers">>
  : never;

/** The declared parameters of a location; none if the member is absent. */
type MemberOf<Request, Name extends string> =
  Request extends Readonly<Record<Name, infer Parameters>> ? Parameters : Readonly<Record<string, undefined>>;

type RepliesOf<Request> = Request extends SentRequest ? Request["replies"] : never;

type Options = ReplyOptions<ReplyHeaders>;

/**
 * The reply methods of a webhook: `reply[204]()`, `reply[200](body)`, `reply["4XX"](422, body)`.
 * @example
 * const accept = (reply: WebhookReplies<"petSold", { readonly 204: undefined }>) => reply[204]();
 */
export type WebhookReplies<Name extends string, Replies> = {
  readonly [Status in keyof Replies]: Status extends number
    ? [Replies[Status]] extends [undefined]
      ? (options?: Options) => Reply<Name>
      : (body: Replies[Status], options?: Options) => Reply<Name>
    : [Replies[Status]] extends [undefined]
      ? (status: number, options?: Options) => Reply<Name>
      : (status: number, body: Replies[Status], options?: Options) => Reply<Name>;
};

/** The success responses without a body, one of which is sent if a handler returns nothing. */
type Acknowledging<Replies> = {
  [Status in keyof Replies]: `${Status & (string | number)}` extends `2${string}`
    ? [Replies[Status]] extends [undefined]
      ? Status
      : never
    : never;
}[keyof Replies];

type Result<Name extends string, Replies> =
  | Reply<Name>
  // eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a handler without a return acknowledges
  | ([Acknowledging<Replies>] extends [never] ? never : void);

/**
 * Handles a webhook. If the contract declares a success without a body, the handler need not return a reply.
 * @example
 * const petSold: WebhookHandler<"petSold", Webhooks["petSold"]> = async ({ body }) => {
 *   await store.insert(body);
 * };
 */
export type WebhookHandler<Name extends string, Item> = (
  webhook: ReceivedBy<RequestsOf<Item>>,
  reply: WebhookReplies<Name, RepliesOf<RequestsOf<Item>>>,
) => Result<Name, RepliesOf<RequestsOf<Item>>> | Promise<Result<Name, RepliesOf<RequestsOf<Item>>>>;

/**
 * Handlers by the name of the webhook or callback. Webhooks without one are passed to `unknown`.
 * @example
 * const handlers: WebhookHandlers<Webhooks> = {
 *   petSold: async ({ body }) => {
 *     await store.insert(body);
 *   },
 * };
 */
export type WebhookHandlers<Items> = {
  readonly [Name in keyof Items & string]?: WebhookHandler<Name, Items[Name]>;
};
