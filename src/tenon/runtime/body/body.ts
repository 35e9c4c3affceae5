import type { MIMEType } from "node:util";
import type { Request, Response } from "express";
import { isRange, type MediaKind } from "../../core/http/media-type.js";
import { createFormReader } from "./form-reader.js";
import { HttpError } from "../errors/http-error.js";
import { parseExactJson } from "./json.js";
import { findDeclared, parseMediaType } from "../response/media-range.js";
import { memoize } from "../memo.js";
import { parseMultipart } from "./multipart.js";
import type { OperationDescriptor, RequestBodyDescriptor } from "../operation.js";
import { parseQuery } from "../parameters/query.js";
import { createByteReader } from "./read-bytes.js";
import { toBodyKind } from "./request-content.js";
import { decodeText } from "./text.js";

export interface RequestBody {
  /** The declared media type or range that the request's `Content-Type` falls under; undefined without a body. */
  readonly mediaType: string | undefined;
  /** What the request's `Content-Type` says, without parameters. */
  readonly contentType: string | undefined;
  readonly value: unknown;
}

export interface BodyLimits {
  /** Largest JSON, text or form body, and largest field of a multipart form, in bytes after decompression. Default: 102,400. */
  readonly bodyLimit?: number;
  /** Largest multipart form or body of any other media type, in bytes after decompression. Default: `bodyLimit`. */
  readonly uploadLimit?: number;
  /** Largest file of a multipart form, in bytes. Default: `uploadLimit`. */
  readonly fileLimit?: number;
  /** Number of parts of a multipart form. Default: 100. */
  readonly partLimit?: number;
}

export const NO_BODY: RequestBody = { mediaType: undefined, contentType: undefined, value: undefined };

/**
 * Reads a request's body: media type first, so that what nobody declared is refused unread, then the bytes, then a value
 * that is exact or refused.
 * @throws {HttpError} `unsupported_media_type`, `content_too_large`, `malformed_request`, `malformed_json`, `invalid_body`.
 */
export type BodyReader = (request: Request, response: Response) => Promise<RequestBody>;

/** @returns what makes the reader of one operation; call it once for each, at start. */
export function createBodyReaders(limits: BodyLimits): (declared: RequestBodyDescriptor) => BodyReader {
  const { bodyLimit = 102_400, partLimit = 100 } = limits;
  const { uploadLimit = bodyLimit } = limits;
  const { fileLimit = uploadLimit } = limits;
  const readBody = createByteReader(bodyLimit);
  const readUpload = createByteReader(uploadLimit);

  return (declared) => {
    const forms = new Map(
      Object.entries(declared.forms ?? {}).flatMap(([name, form]) =>
        typeof form === "string" ? [] : [[name, createFormReader(form)] as const],
      ),
    );
    const noForm = createFormReader({ fields: [] });
    const findMatching = memoize((contentType) => findContentType(contentType, declared));

    return async (request, response) => {
      if (!hasBody(request) && !isEmptyValue(request, declared)) {
        if (declared.required) throw new HttpError("invalid_body", { message: "The body is required" });
        return NO_BODY;
      }
      const matching = findMatching(request.headers["content-type"] ?? "");
      if ("refusal" in matching) throw toUnsupported(matching.refusal, request, declared);
      const { mediaType, parsed, kind } = matching;
      const form = forms.get(mediaType) ?? noForm;
      const read = async (): Promise<unknown> => {
        switch (kind) {
          case "json":
            return parseExactJson(await readBody(request, response));
          case "text":
            return decodeText(await readBody(request, response), "The body");
          case "form": {
            const text = decodeText(await readBody(request, response), "The body");
            return form.read({ texts: parseQuery(text, "The form"), files: new Map() });
          }
          case "multipart": {
            const sent = await parseMultipart(await readUpload(request, response), {
              contentType: parsed,
              findField: form.findField,
              limits: { parts: partLimit, fieldBytes: bodyLimit, fileBytes: fileLimit },
            });
            return form.read(sent);
          }
          case "binary":
            return readUpload(request, response);
        }
      };
      return { mediaType, contentType: parsed.essence, value: await read() };
    };
  };
}

/** What a handler sees of a body: its validated value, or where more than one media type can arrive, which one it is of. */
export function toHandlerBody(
  { requestBody }: OperationDescriptor,
  { mediaType, contentType }: RequestBody,
  value: unknown,
): unknown {
  if (requestBody === undefined || mediaType === undefined) return undefined;
  if (isRange(mediaType)) return { mediaType, contentType, value };
  return requestBody.mediaTypes.length > 1 ? { mediaType, value } : value;
}

/** RFC 9112, section 6: a request has a body when it says how long it is. */
function hasBody({ headers }: Request): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * `Content-Length: 0` says that there is no body; with the `Content-Type` of a declared text, form or file it says that this is
 * empty. There is no empty JSON, nor multipart form, and clients name these types without sending anything.
 */
function isEmptyValue({ headers }: Request, declared: RequestBodyDescriptor): boolean {
  const contentType = headers["content-length"] === undefined ? undefined : headers["content-type"];
  const parsed = contentType === undefined ? undefined : parseMediaType(contentType);
  const mediaType = parsed && findDeclared(declared.mediaTypes, parsed);
  return mediaType !== undefined && !["json", "multipart"].includes(toBodyKind(declared, mediaType));
}

/** What a `Content-Type` is of what an operation declares, or completes `Content-Type …` with why it is nothing of it. */
type Matching =
  | { readonly mediaType: string; readonly parsed: MIMEType; readonly kind: MediaKind }
  | { readonly refusal: string };

function findContentType(contentType: string, declared: RequestBodyDescriptor): Matching {
  if (contentType === "") return { refusal: "is missing" };
  const parsed = parseMediaType(contentType);
  if (parsed === undefined) return { refusal: "is not a media type" };
  const mediaType = findDeclared(declared.mediaTypes, parsed);
  if (mediaType === undefined) return { refusal: `is ${parsed.essence}` };
  const kind = toBodyKind(declared, mediaType);
  const charset = parsed.params.get("charset") ?? "utf-8";
  if (kind !== "binary" && charset.toLowerCase() !== "utf-8")
    return { refusal: "has a charset other than UTF-8" };
  return { mediaType, parsed, kind };
}

function toUnsupported(
  refusal: string,
  { method }: Request,
  { mediaTypes }: RequestBodyDescriptor,
): HttpError {
  const wanted = mediaTypes.join(", ");
  return HttpError.refusal("unsupported_media_type", {
    message: `Content-Type ${refusal}; want ${mediaTypes.join(" or ")}`,
    // RFC 9110, section 15.5.16: tells what would have been accepted. Some clients look at the method's own header.
    headers: {
      Accept: wanted,
      ...(method === "POST" && { "Accept-Post": wanted }),
      ...(method === "PATCH" && { "Accept-Patch": wanted }),
    },
  });
}
