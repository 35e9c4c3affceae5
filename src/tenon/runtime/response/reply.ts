import type { ServerResponse } from "node:http";

import type { WriteJson } from "./json-writer.js";

declare const operation: unique symbol;

/** What is sent: a value as JSON, or text or bytes as they are given. */
export interface ReplyContent {
  readonly mediaType: string;
  readonly kind: "json" | "text" | "binary";
  /** `json`: any value; `text`: a string; `binary`: a `Uint8Array` or a `Readable`. */
  readonly body: unknown;
  /** Writes `body` as JSON. Default: `JSON.stringify`. */
  readonly write?: WriteJson | undefined;
}

/**
 * One declared answer of operation `Id`. Handlers get them from the `reply` methods and return them; the brand keeps
 * another operation's reply from passing the compiler.
 */
export class Reply<Id extends string> {
  declare readonly [operation]: Id;

  constructor(
    readonly operationId: Id,
    readonly status: number,
    readonly content: ReplyContent | undefined,
    readonly headers: ReplyHeaders,
  ) {}
}

/** Sends an answer by itself; the headers of a deprecation are set already. It may resolve before the answer has ended. */
export type RawSend = (response: ServerResponse) => void | Promise<void>;

/** An answer that a handler sends by itself. Nothing of it is checked, and what {@link Reply} says of it means nothing. */
export class RawReply<Id extends string> extends Reply<Id> {
  constructor(
    operationId: Id,
    readonly send: RawSend,
  ) {
    super(operationId, 200, undefined, {});
  }
}

/** The way past the contract that every operation's replies have, for what the contract cannot say. */
export interface RawReplies<Id extends string> {
  /** Sends what the contract does not declare, or in a way of its own: `reply.raw((response) => { … })`. */
  raw(send: RawSend): Reply<Id>;
}

export type ReplyHeaders = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** Second argument of a reply method: the declared response headers. */
export interface ReplyOptions<Headers> {
  readonly headers?: Headers;
}
