import { buffer as readBytes } from "node:stream/consumers";
import { Busboy } from "@fastify/busboy";
import { findMediaType, parseMediaType, toEssence } from "../../core/http/media-type.js";
import { addPair } from "../../core/parameters/pairs.js";
import { FormFile } from "./form-files.js";
import { findStyled, type FormReader, type SentForm } from "./form.js";
import { HttpError, type HttpErrorCode } from "../errors/http-error.js";
import { decodeText } from "./request-content.js";

export interface MultipartLimits {
  /** Number of parts. */
  readonly parts: number;
  /** Maximum size of a part that is not a file, in bytes. */
  readonly fieldBytes: number;
  /** Bytes of a file. */
  readonly fileBytes: number;
}

export interface MultipartOptions {
  /** The body's `Content-Type`, which has the boundary. */
  readonly contentType: string;
  readonly findField: FormReader["findField"];
  readonly limits: MultipartLimits;
}

/** A parsed part, before validation. */
interface Part {
  readonly name: string | undefined;
  /** Absent when the part has none; empty when a browser sends an empty file input. */
  readonly filename: string | undefined;
  readonly encoding: string;
  /** `text/plain` when the part has none. */
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/**
 * Parses a `multipart/form-data` body (RFC 7578). The contract decides if a part is a file or a value, not the
 * client. A part that the contract does not name is a file when it has a file name.
 * @throws {HttpError} `malformed_request`, `content_too_large`, `unsupported_media_type`, `invalid_body`, naming the field.
 */
export async function parseMultipart(
  body: Uint8Array,
  { contentType, findField, limits }: MultipartOptions,
): Promise<SentForm> {
  assertBoundary(contentType);
  const texts = new Map<string, string[]>();
  const files = new Map<string, FormFile[]>();
  for (const part of await readParts(body, contentType, limits.parts)) {
    if (part.filename === "" && part.bytes.byteLength === 0) continue;
    const { name } = part;
    if (name === undefined)
      throw new HttpError("invalid_body", { message: "A part of the form has no name" });
    const value = toValue(part, findField(name), limits);
    if (typeof value === "string") addPair(texts, name, value);
    else
      files
        .set(name, files.get(name) ?? [])
        .get(name)
        ?.push(value);
  }
  return { texts, files };
}

/** RFC 2046, section 5.1.1. The parser would take an empty boundary, which every line of dashes ends. */
function assertBoundary(contentType: string): void {
  if (/^[^]{1,70}$/.test(parseMediaType(contentType)?.parameters.get("boundary") ?? "")) return;
  throw new HttpError("malformed_request", {
    message: "Content-Type must have a boundary of 1 to 70 characters",
  });
}

async function readParts(body: Uint8Array, contentType: string, limit: number): Promise<readonly Part[]> {
  const parts: Promise<Part>[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      const parser = new Busboy({
        headers: { "content-type": contentType },
        // The bytes of every part come as they are, so that text is decoded as strictly here as elsewhere.
        isPartAFile: () => true,
        limits: { parts: limit, headerPairs: 20, headerSize: 8_192 },
      });
      parser.on(
        "file",
        (name: string | undefined, stream, filename: string | undefined, encoding, mediaType) => {
          const part = readBytes(stream).then((bytes) => ({ name, filename, encoding, mediaType, bytes }));
          part.catch(reject);
          parts.push(part);
        },
      );
      parser.on("partsLimit", () => {
        reject(new HttpError("content_too_large", { message: `The form has more than ${limit} parts` }));
      });
      parser.on("error", reject);
      parser.on("finish", resolve);
      parser.end(body);
    });
    return await Promise.all(parts);
  } catch (cause) {
    if (cause instanceof HttpError) throw cause;
    throw new HttpError("malformed_request", { message: "The body is not a whole multipart form", cause });
  }
}

function toValue(
  { name = "", filename, encoding, mediaType, bytes }: Part,
  field: ReturnType<FormReader["findField"]>,
  limits: MultipartLimits,
): string | FormFile {
  const asFile = field === undefined ? filename !== undefined : findStyled(field) === undefined;
  const limit = asFile ? limits.fileBytes : limits.fieldBytes;
  if (bytes.byteLength > limit) refuse("content_too_large", name, `is larger than ${limit} bytes`);
  // RFC 7578, section 4.7: deprecated; taking encoded text for the value would change it.
  if (!["7bit", "8bit", "binary"].includes(encoding)) {
    refuse("unsupported_media_type", name, "must not have a Content-Transfer-Encoding");
  }
  const declared = field?.mediaTypes ?? [];
  const wanted = declared.length > 0 ? declared : ["*/*"];
  const isWanted = findMediaType(
    wanted.map((one) => ({ name: one })),
    mediaType,
  );
  if (isWanted === undefined) {
    refuse("unsupported_media_type", name, `must be ${wanted.join(" or ")}`);
  }
  if (/\p{Cc}/u.test(filename ?? ""))
    refuse("invalid_body", name, "has a control character in its file name");
  if (asFile) return new FormFile(filename ?? "", toEssence(mediaType), bytes);
  // As in a query, where what delimits can be escaped; nothing in a part is.
  return decodeText(bytes, `Field "${name}"`).replace(/[%+]/g, encodeURIComponent);
}

function refuse(code: HttpErrorCode, name: string, problem: string): never {
  throw new HttpError(code, { message: `Field "${name}" ${problem}` });
}
