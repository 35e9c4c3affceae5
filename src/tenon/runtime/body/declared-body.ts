import type { IncomingMessage } from "node:http";
import { findMediaType, isRange, type MediaKind, parseMediaType } from "../../core/http/media-type.js";
import {
  type Items,
  type Operation,
  type RequestBody as DeclaredBody,
  toRequestKind,
} from "../../core/model/index.js";
import type { ByteSize } from "../../core/schema/index.js";
import { HttpError } from "../errors/http-error.js";
import { memoize } from "../http/memo.js";

export interface RequestBody {
  /** The declared media type or range that covers the request's `Content-Type`; undefined without a body. */
  readonly mediaType: string | undefined;
  /** The request's `Content-Type` without parameters. */
  readonly contentType: string | undefined;
  readonly value: unknown;
}

export const NO_BODY: RequestBody = { mediaType: undefined, contentType: undefined, value: undefined };

/** Converts a body for the handler: the validated value, together with its media type when the operation declares several. */
export function toHandlerBody(
  { requestBody }: Operation,
  { mediaType, contentType }: RequestBody,
  value: unknown,
): unknown {
  if (requestBody === undefined || mediaType === undefined) return undefined;
  if (isRange(mediaType)) return { mediaType, contentType, value };
  return requestBody.mediaTypes.length > 1 ? { mediaType, value } : value;
}

/** The part of a request that describes its body. */
export type BodyHead = Pick<IncomingMessage, "method" | "headers">;

/**
 * Creates the function that finds the declared media type of a request's body.
 * @returns the function, which returns undefined for a request without a body.
 * @throws {HttpError} `unsupported_media_type`, or `invalid_body` if the body is required.
 */
export function createBodyMatcher(declared: DeclaredBody): (head: BodyHead) => MatchedBody | undefined {
  const findMatching = memoize((contentType) => findContentType(contentType, declared));
  return (head) => {
    if (!hasBody(head) && !isEmptyValue(head, declared)) {
      if (declared.required) throw new HttpError("invalid_body", { message: "The body is required" });
      return undefined;
    }
    const matching = findMatching(head.headers["content-type"] ?? "");
    if ("refusal" in matching) throw toUnsupported(matching.refusal, head, declared);
    return matching;
  };
}

/** RFC 9112, section 6: a request has a body when it says how long it is. */
function hasBody({ headers }: BodyHead): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * `Content-Length: 0` says that there is no body; with the `Content-Type` of a declared text, form or file it says that this is
 * empty. There is no empty JSON, nor multipart form, and clients name these types without sending anything.
 */
function isEmptyValue({ headers }: BodyHead, declared: DeclaredBody): boolean {
  const contentType = headers["content-length"] === undefined ? undefined : headers["content-type"];
  const mediaType = findMediaType(declared.mediaTypes, contentType ?? "");
  return (
    mediaType !== undefined &&
    mediaType.items?.parts === undefined &&
    !["json", "multipart"].includes(toRequestKind(mediaType))
  );
}

/** The declared media type that covers a `Content-Type`. */
export interface MatchedBody {
  readonly mediaType: string;
  readonly essence: string;
  readonly kind: "items" | MediaKind;
  readonly items: Items | undefined;
  readonly size: ByteSize | undefined;
}

/** The reason why there is no media type completes `Content-Type …`. */
type Matching = MatchedBody | { readonly refusal: string };

function findContentType(contentType: string, declared: DeclaredBody): Matching {
  if (contentType === "") return { refusal: "is missing" };
  const parsed = parseMediaType(contentType);
  if (parsed === undefined) return { refusal: "is not a media type" };
  const { essence, parameters } = parsed;
  const mediaType = findMediaType(declared.mediaTypes, contentType);
  if (mediaType === undefined) return { refusal: `is ${essence}` };
  const kind = toRequestKind(mediaType);
  const charset = parameters.get("charset") ?? "utf-8";
  if (kind !== "binary" && charset.toLowerCase() !== "utf-8")
    return { refusal: "has a charset other than UTF-8" };
  return { mediaType: mediaType.name, essence, kind, items: mediaType.items, size: mediaType.size };
}

function toUnsupported(refusal: string, { method }: BodyHead, declared: DeclaredBody): HttpError {
  const mediaTypes = declared.mediaTypes.map(({ name }) => name);
  const wanted = mediaTypes.join(", ");
  return HttpError.refusal("unsupported_media_type", {
    message: `Content-Type ${refusal}; expected ${mediaTypes.join(" or ")}`,
    // RFC 9110, section 15.5.16: lists the accepted media types. Some clients read the header of the method instead.
    headers: {
      Accept: wanted,
      ...(method === "POST" && { "Accept-Post": wanted }),
      ...(method === "PATCH" && { "Accept-Patch": wanted }),
      ...(method === "QUERY" && { "Accept-Query": wanted }),
    },
  });
}
