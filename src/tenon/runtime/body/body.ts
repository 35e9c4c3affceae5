import { tmpdir } from "node:os";
import type { Request, Response } from "express";
import { findMediaType, isRange, type MediaKind, parseMediaType } from "../../core/http/media-type.js";
import { createFormReader } from "./form.js";
import { HttpError } from "../errors/http-error.js";
import { parseExactJson } from "./json.js";
import { memoize } from "../http/memo.js";
import { parseMultipart } from "./multipart.js";
import {
  type Items,
  type Operation,
  type RequestBody as DeclaredBody,
  toRequestKind,
} from "../../core/model/index.js";
import { parseQuery } from "../parameters/read-parameters.js";
import { SentItems, splitItems } from "./items.js";
import { TemporaryFiles } from "./part-content.js";
import { readAllParts, streamParts } from "./parts.js";
import { createByteReader } from "./read-bytes.js";
import { openChunks, openStream } from "./read-stream.js";
import { decodeText } from "./request-content.js";

export interface RequestBody {
  /** The declared media type or range that covers the request's `Content-Type`; undefined without a body. */
  readonly mediaType: string | undefined;
  /** The request's `Content-Type` without parameters. */
  readonly contentType: string | undefined;
  readonly value: unknown;
}

/**
 * Limits of request bodies. A body that exceeds one gets 413, `content_too_large`.
 * @example
 * const limits: BodyLimits = { bodyLimit: 50_000, uploadLimit: 10_000_000, fileLimit: 5_000_000, streamLimit: Infinity };
 * app.use(createApi({ ...errors, ...limits, handlers, authenticators }));
 */
export interface BodyLimits {
  /**
   * Largest JSON, text or form body, item of a stream, and field of a multipart form, in bytes after decompression. Default: 102,400.
   */
  readonly bodyLimit?: number;
  /** Largest multipart form, in bytes after decompression. Default: `bodyLimit`. */
  readonly uploadLimit?: number;
  /**
   * Largest body that the handler reads as a stream, of items or of bytes, in bytes after decompression. `Infinity` allows any size.
   * Default: `uploadLimit`.
   */
  readonly streamLimit?: number;
  /** Largest file of a multipart form, in bytes. Default: `uploadLimit`. */
  readonly fileLimit?: number;
  /**
   * Largest file of a multipart form that is kept in memory, in bytes. A larger one is a temporary file until the response is sent.
   * Default: 1,048,576.
   */
  readonly memoryLimit?: number;
  /** Folder of temporary files. Default: that of the operating system. */
  readonly temporaryFolder?: string;
  /** Number of parts of a multipart form. Default: 100. */
  readonly partLimit?: number;
}

export const NO_BODY: RequestBody = { mediaType: undefined, contentType: undefined, value: undefined };

/**
 * Reads a request's body: first the media type, so that an undeclared one is refused unread; then the bytes; then the value. A value
 * that cannot be represented exactly is refused. A stream is only opened.
 * @throws {HttpError} `unsupported_media_type`, `content_too_large`, `malformed_request`, `malformed_json`, `invalid_body`.
 */
export type BodyReader = (request: Request, response: Response) => Promise<RequestBody>;

/** Default of `bodyLimit`, in bytes. */
const BODY_LIMIT = 102_400;

/**
 * Creates the reader of bodies that are JSON and that no operation declares: messages of other protocols, within the same limits.
 * @throws {HttpError} `content_too_large`, `malformed_request`, `malformed_json`.
 */
export function createJsonReader(
  limit = BODY_LIMIT,
): (request: Request, response: Response) => Promise<unknown> {
  const readBody = createByteReader(limit);
  return async (request, response) => parseExactJson(await readBody(request, response));
}

/** @returns what makes the reader of one operation; call it once for each, at start. */
export function createBodyReaders(limits: BodyLimits): (declared: DeclaredBody) => BodyReader {
  const {
    bodyLimit = BODY_LIMIT,
    memoryLimit = 2 ** 20,
    partLimit = 100,
    temporaryFolder = tmpdir(),
  } = limits;
  const { uploadLimit = bodyLimit } = limits;
  const { fileLimit = uploadLimit, streamLimit = uploadLimit } = limits;
  const readBody = createByteReader(bodyLimit);
  const partLimits = {
    parts: partLimit,
    fieldBytes: bodyLimit,
    fileBytes: fileLimit,
    memoryBytes: memoryLimit,
  };
  const onFiles = (response: Response) => (remove: () => void) => void response.once("close", remove);

  return (declared) => {
    const forms = new Map(
      declared.mediaTypes.flatMap(({ name, form }) =>
        typeof form === "object" ? [[name, createFormReader(form)] as const] : [],
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
      const { mediaType, essence, kind, items } = matching;
      const form = forms.get(mediaType) ?? noForm;
      const contentType = request.headers["content-type"] ?? "";
      const readItems = (): unknown => {
        const format = items?.format ?? "lines";
        if (items?.parts === undefined)
          return new SentItems(splitItems(openChunks(request, streamLimit), format, bodyLimit));
        const { positions, whole } = items.parts;
        const files = new TemporaryFiles(temporaryFolder, onFiles(response));
        const parts = { contentType, positions, limits: partLimits, files };
        return whole
          ? readAllParts(openChunks(request, uploadLimit), parts)
          : new SentItems(streamParts(openChunks(request, streamLimit), parts));
      };
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
            const sent = await parseMultipart(openChunks(request, uploadLimit), {
              contentType,
              findField: form.findField,
              limits: partLimits,
              temporaryFolder,
              onFiles: onFiles(response),
            });
            return form.read(sent);
          }
          case "items":
            return readItems();
          case "binary":
            return openStream(request, streamLimit);
        }
      };
      return { mediaType, contentType: essence, value: await read() };
    };
  };
}

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

/** RFC 9112, section 6: a request has a body when it says how long it is. */
function hasBody({ headers }: Request): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * `Content-Length: 0` says that there is no body; with the `Content-Type` of a declared text, form or file it says that this is
 * empty. There is no empty JSON, nor multipart form, and clients name these types without sending anything.
 */
function isEmptyValue({ headers }: Request, declared: DeclaredBody): boolean {
  const contentType = headers["content-length"] === undefined ? undefined : headers["content-type"];
  const mediaType = findMediaType(declared.mediaTypes, contentType ?? "");
  return (
    mediaType !== undefined &&
    mediaType.items?.parts === undefined &&
    !["json", "multipart"].includes(toRequestKind(mediaType))
  );
}

/** The declared media type that covers a `Content-Type`, or the reason why there is none, which completes `Content-Type …`. */
type Matching =
  | {
      readonly mediaType: string;
      readonly essence: string;
      readonly kind: "items" | MediaKind;
      readonly items: Items | undefined;
    }
  | { readonly refusal: string };

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
  return { mediaType: mediaType.name, essence, kind, items: mediaType.items };
}

function toUnsupported(refusal: string, { method }: Request, declared: DeclaredBody): HttpError {
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
