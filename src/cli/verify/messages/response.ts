import { toEssence } from "tenon/core/http";

/** A response as a service sent it. */
export interface ServiceResponse {
  readonly status: number;
  /** Values by name in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>> &
    Readonly<Partial<Record<"allow" | "content-type" | "retry-after", string | undefined>>>;
  readonly body: Uint8Array;
}

/** The body as text, in UTF-8. A byte order mark stays: JSON has none (RFC 8259, section 8.1). */
export function toBodyText({ body }: Pick<ServiceResponse, "body">): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
}

/** Levels of nesting of JSON that is read. What works on values is recursive, and would overflow its stack. */
export const MAX_NESTING = 100;

/** Values of JSON that are read, with those in them: the validator needs ten times as much memory as their text, and more where all are invalid. */
export const MAX_VALUES = 250_000;

/** A body as JSON, or the reason why it cannot be read as such, to complete `The body of 200 …`. */
export type JsonReading =
  | { readonly value: unknown; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string };

export function readJson(text: string): JsonReading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: "is not JSON" };
  }
  return toReading(value);
}

/** Checks that a value is small enough to be validated. */
export function toReading(value: unknown): JsonReading {
  let level = [value];
  let count = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    count += level.length;
    if (depth > MAX_NESTING) return { problem: `has more than ${MAX_NESTING} levels of nesting` };
    if (count > MAX_VALUES) return { problem: `has more than ${MAX_VALUES} values` };
    level = level.flatMap((one) =>
      typeof one === "object" && one !== null ? (Object.values(one) as unknown[]) : [],
    );
  }
  return { value };
}

/** The body as JSON; undefined when it cannot be read as such. */
export function toJson(response: ServiceResponse): unknown {
  return readJson(toBodyText(response)).value;
}

/** `application/json; charset=utf-8` is `application/json`. */
export function toContentType({ headers }: Pick<ServiceResponse, "headers">): string | undefined {
  const contentType = headers["content-type"];
  return contentType === undefined ? undefined : toEssence(contentType);
}

/** A header's values as one text. */
export function getHeader({ headers }: Pick<ServiceResponse, "headers">, name: string): string | undefined {
  const given = headers[name.toLowerCase()];
  return Array.isArray(given) ? given.join(", ") : given;
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
