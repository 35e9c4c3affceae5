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

/** The body as text, in UTF-8. */
export function toBodyText({ body }: Pick<Answer, "body">): string {
  return new TextDecoder().decode(body);
}
