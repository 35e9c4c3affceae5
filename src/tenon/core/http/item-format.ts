import { toEssence } from "./media-type.js";
import { isMultipart } from "./parts.js";

/**
 * How the items of a sequential media type are separated: each is a line of JSON, a record after U+001E (RFC 7464), an event of
 * `text/event-stream`, or a part of a multipart body.
 * @see https://spec.openapis.org/oas/v3.2.0#sequential-media-types
 */
export type ItemFormat = "lines" | "records" | "events" | "parts";

const LINES: ReadonlySet<string> = new Set([
  ...["application/jsonl", "application/x-jsonl", "application/jsonlines", "application/x-jsonlines"],
  ...["application/ndjson", "application/x-ndjson", "application/json-lines", "text/jsonl"],
]);

/** @returns undefined for a media type whose body is one value. */
export function findItemFormat(mediaType: string): ItemFormat | undefined {
  const essence = toEssence(mediaType);
  if (essence === "text/event-stream") return "events";
  if (isMultipart(essence)) return "parts";
  if (essence === "application/json-seq" || essence.endsWith("+json-seq")) return "records";
  return LINES.has(essence) ? "lines" : undefined;
}
