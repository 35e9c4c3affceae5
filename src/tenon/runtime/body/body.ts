import { tmpdir } from "node:os";
import type { Request, Response } from "express";
import type { RequestBody as DeclaredBody } from "../../core/model/index.js";
import { parseQuery } from "../parameters/read-parameters.js";
import { createBodyMatcher, type MatchedBody, NO_BODY, type RequestBody } from "./declared-body.js";
import { createFormReader } from "./form.js";
import { openItems, splitItems } from "./items.js";
import { parseExactJson } from "./json.js";
import { parseMultipart } from "./multipart.js";
import { TemporaryFiles } from "./part-content.js";
import { readAllParts, streamParts } from "./parts.js";
import { createByteReader } from "./read-bytes.js";
import { openChunks, openStream } from "./read-stream.js";
import { decodeText } from "./request-content.js";

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

/**
 * Reads a request's body: first the media type, so that an undeclared one is refused unread; then the bytes; then the value. A value
 * that cannot be represented exactly is refused. A stream is only opened.
 * @returns a promise if not all of the bytes have arrived.
 * @throws {HttpError} `unsupported_media_type`, `content_too_large`, `malformed_request`, `malformed_json`, `invalid_body`.
 */
export type BodyReader = (request: Request, response: Response) => RequestBody | Promise<RequestBody>;

/** Default of `bodyLimit`, in bytes. */
const BODY_LIMIT = 102_400;

/**
 * Creates the reader of bodies that are JSON and that no operation declares: messages of other protocols, within the same limits.
 * @throws {HttpError} `content_too_large`, `malformed_request`, `malformed_json`.
 */
export function createJsonReader(limit = BODY_LIMIT): (request: Request) => Promise<unknown> {
  const readBody = createByteReader(limit);
  return async (request) => parseExactJson(await readBody(request));
}

/** @returns a function that creates the reader of one operation; call it once per operation, at start. */
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
    const match = createBodyMatcher(declared);
    const findForm = (mediaType: string) => forms.get(mediaType) ?? noForm;

    const readers: Readonly<Record<MatchedBody["kind"], ReadValue>> = {
      json: (request) => {
        const bytes = readBody(request);
        return bytes instanceof Promise ? bytes.then((all) => parseExactJson(all)) : parseExactJson(bytes);
      },
      text: async (request) => decodeText(await readBody(request), "The body"),
      form: async (request, _, { mediaType }) => {
        const text = decodeText(await readBody(request), "The body");
        return findForm(mediaType).read({ texts: parseQuery(text, "The form"), files: new Map() });
      },
      multipart: async (request, response, { mediaType }) => {
        const form = findForm(mediaType);
        const sent = await parseMultipart(openChunks(request, uploadLimit), {
          contentType: request.headers["content-type"] ?? "",
          findField: form.findField,
          limits: partLimits,
          temporaryFolder,
          onFiles: onFiles(response),
        });
        return form.read(sent);
      },
      items: (request, response, { items }) => {
        if (items?.parts === undefined)
          return openItems(splitItems(openChunks(request, streamLimit), items?.format ?? "lines", bodyLimit));
        const contentType = request.headers["content-type"] ?? "";
        const { positions, whole } = items.parts;
        const files = new TemporaryFiles(temporaryFolder, onFiles(response));
        const parts = { contentType, positions, limits: partLimits, files };
        return whole
          ? readAllParts(openChunks(request, uploadLimit), parts)
          : openItems(streamParts(openChunks(request, streamLimit), parts));
      },
      binary: (request, _, { size }) => openStream(request, streamLimit, size),
    };

    return (request, response) => {
      const matched = match(request);
      if (matched === undefined) return NO_BODY;
      const { mediaType, essence: contentType } = matched;
      const value = readers[matched.kind](request, response, matched);
      return value instanceof Promise
        ? value.then((read: unknown) => ({ mediaType, contentType, value: read }))
        : { mediaType, contentType, value };
    };
  };
}

/** Reads the value of a body, or opens its stream. */
type ReadValue = (request: Request, response: Response, matched: MatchedBody) => unknown;
