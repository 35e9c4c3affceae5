/** What a service answered. */
export interface Answer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: Uint8Array;
}

/** By name in lower case. */
export interface AnswerHeaders {
  readonly [name: string]: string | string[] | undefined;
  readonly allow?: string | undefined;
  readonly "content-type"?: string | undefined;
  readonly "retry-after"?: string | undefined;
}

/** The body as text, in UTF-8. A byte order mark stays: it is none of JSON's (RFC 8259, section 8.1). */
export function toBodyText({ body }: Pick<Answer, "body">): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
}
