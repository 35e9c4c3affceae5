import { toTooLong } from "./body-errors.js";
import { addPart, isFile, type PartHead, refusePart, type SentParts } from "./form-parts.js";
import type { FormReader, SentForm } from "./form.js";
import { HttpError } from "../errors/http-error.js";
import { KeptFile, type PartContent } from "./kept-file.js";
import { findBoundary, parseDisposition, readParts } from "./multipart-parts.js";
import { readContent, TemporaryFiles } from "./part-content.js";

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
interface Part extends PartHead {
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
  const sent: SentParts = { texts: new Map(), files: new Map() };
  for (const part of await receiveParts(body, options)) {
    const { content } = part;
    addPart(sent, part, {
      findField: options.findField,
      bytes: typeof content === "string" ? undefined : content,
      toFile: (filename, mediaType) => new KeptFile(filename, mediaType, part.size, content),
    });
  }
  return sent;
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
      const field = name === undefined ? undefined : findField(name);
      const asFile = isFile(field, filename);
      const max = field?.size?.max ?? Infinity;
      const limit = asFile ? Math.min(limits.fileBytes, max) : limits.fieldBytes;
      const inMemory = asFile ? limits.memoryBytes : limit;
      const received = await readContent(content, { limit, inMemory, files });
      if (received === undefined && asFile && limit === max)
        throw toTooLong(max, { subject: `Field "${name ?? ""}"`, path: [name ?? ""] });
      if (received === undefined)
        refusePart("content_too_large", name ?? "", `is larger than ${limit} bytes`);
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
