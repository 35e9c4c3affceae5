declare const operation: unique symbol;

/** What is sent: a value as JSON, or text or bytes as they are given. */
export interface ReplyContent {
  readonly mediaType: string;
  readonly kind: "json" | "text" | "binary";
  /** `json`: any value; `text`: a string; `binary`: a `Uint8Array` or a `Readable`. */
  readonly body: unknown;
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

export type ReplyHeaders = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** Second argument of a reply method: the declared response headers. */
export interface ReplyOptions<Headers> {
  readonly headers?: Headers;
}
