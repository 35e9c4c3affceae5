import { findMediaType, toEssence } from "../../core/http/media-type.js";
import { addPair } from "../../core/parameters/pairs.js";
import { type FormFile, type PartContent, ReceivedFile } from "./form-files.js";
import { findStyled, type FormReader, type SentForm } from "./form.js";
import { HttpError, type HttpErrorCode } from "../errors/http-error.js";
import { findBoundary, parseDisposition, readParts } from "./multipart-parts.js";
import { readContent, TemporaryFiles } from "./part-content.js";
import { decodeText } from "./request-content.js";

export interface MultipartLimits {
  /** Number of parts. */
  readonly parts: number;
  /** Maximum size of a part that is not a file, in bytes. */
  readonly fieldBytes: number;
  /** Bytes of a file. */
  readonly fileBytes: number;
  /** Bytes of a file that is kept in memory; a larger one becomes a temporary file. */
  readonly memoryBytes: number;
}

export interface MultipartOptions {
  /** The body's `Content-Type`, which has the boundary. */
  readonly contentType: string;
  readonly findField: FormReader["findField"];
  readonly limits: MultipartLimits;
  readonly temporaryFolder: string;
  /** Called with the function that removes temporary files. */
  readonly onFiles: (remove: () => void) => void;
}

/** A parsed part, before validation. */
interface Part {
  readonly name: string | undefined;
  /** Absent when the part has none; empty when a browser sends an empty file input. */
  readonly filename: string | undefined;
  readonly encoding: string;
  /** As it was sent; `text/plain` when the part has none. */
  readonly mediaType: string;
  readonly size: number;
  readonly content: PartContent;
}

/**
 * Parses a `multipart/form-data` body (RFC 7578). The contract decides if a part is a file or a value, not the
 * client. A part that the contract does not name is a file when it has a file name.
 * @throws {HttpError} `malformed_request`, `content_too_large`, `unsupported_media_type`, `invalid_body`, naming the field.
 */
export async function parseMultipart(
  body: Iterable<Buffer> | AsyncIterable<Buffer>,
  options: MultipartOptions,
): Promise<SentForm> {
  const { findField } = options;
  const texts = new Map<string, string[]>();
  const files = new Map<string, FormFile[]>();
  for (const part of await receiveParts(body, options)) {
    if (part.filename === "" && part.size === 0) continue;
    const { name } = part;
    if (name === undefined)
      throw new HttpError("invalid_body", { message: "A part of the form has no name" });
    const value = toValue(part, findField(name));
    if (typeof value === "string") addPair(texts, name, value);
    else
      files
        .set(name, files.get(name) ?? [])
        .get(name)
        ?.push(value);
  }
  return { texts, files };
}

/** Headers that count; others are ignored (RFC 7578, section 4.8). */
const NAMES: ReadonlySet<string> = new Set([
  "content-disposition",
  "content-type",
  "content-transfer-encoding",
]);

async function receiveParts(
  body: Iterable<Buffer> | AsyncIterable<Buffer>,
  { contentType, findField, limits, temporaryFolder, onFiles }: MultipartOptions,
): Promise<readonly Part[]> {
  const parts: Part[] = [];
  const files = new TemporaryFiles(temporaryFolder, onFiles);
  try {
    for await (const { headers, content } of readParts(body, findBoundary(contentType), (name) =>
      NAMES.has(name),
    )) {
      if (parts.length === limits.parts)
        throw new HttpError("content_too_large", { message: `The form has more than ${limits.parts} parts` });
      const { name, filename } = parseDisposition(headers.get("content-disposition") ?? "");
      const asFile = isFile(name === undefined ? undefined : findField(name), filename);
      const limit = asFile ? limits.fileBytes : limits.fieldBytes;
      const inMemory = asFile ? limits.memoryBytes : limit;
      const received = await readContent(content, { limit, inMemory, files });
      if (received === undefined) refuse("content_too_large", name ?? "", `is larger than ${limit} bytes`);
      const encoding = headers.get("content-transfer-encoding")?.toLowerCase() ?? "7bit";
      const mediaType = headers.get("content-type") ?? "text/plain";
      parts.push({ name, filename, encoding, mediaType, ...received });
    }
    return parts;
  } catch (cause) {
    files.remove();
    // A full disk is not the sender's mistake.
    if (cause instanceof HttpError || (cause as NodeJS.ErrnoException).syscall !== undefined) throw cause;
    throw new HttpError("malformed_request", { message: "The body is not a whole multipart form", cause });
  }
}

function toValue(
  { name = "", filename, encoding, mediaType, size, content }: Part,
  field: ReturnType<FormReader["findField"]>,
): string | FormFile {
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
  if (typeof content === "string" || isFile(field, filename))
    return new ReceivedFile(filename ?? "", toEssence(mediaType), size, content);
  // As in a query, where what delimits can be escaped; nothing in a part is.
  return decodeText(content, `Field "${name}"`).replace(/[%+]/g, encodeURIComponent);
}

function isFile(field: ReturnType<FormReader["findField"]>, filename: string | undefined): boolean {
  return field === undefined ? filename !== undefined : findStyled(field) === undefined;
}

function refuse(code: HttpErrorCode, name: string, problem: string): never {
  throw new HttpError(code, { message: `Field "${name}" ${problem}` });
}
