import { mkdtempSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseMediaType } from "../../core/http/media-type.js";
import { CollectedBytes } from "./collected-bytes.js";
import { addPart, isFile, type PartHead, refusePart, type SentParts } from "./form-parts.js";
import type { FormReader, SentForm } from "./form.js";
import { HttpError } from "../errors/http-error.js";
import { KeptFile, type PartContent } from "./kept-file.js";
import { parseDisposition, readParts } from "./multipart-parts.js";

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

async function receiveParts(
  body: Iterable<Buffer> | AsyncIterable<Buffer>,
  { contentType, findField, limits, temporaryFolder, onFiles }: MultipartOptions,
): Promise<readonly Part[]> {
  const parts: Part[] = [];
  let directory: string | undefined;
  let files = 0;
  const removeFiles = (): void => {
    if (directory !== undefined) void rm(directory, { recursive: true, force: true }).catch(() => undefined);
  };
  const createPath = (): string => {
    if (directory === undefined) onFiles(removeFiles);
    directory ??= mkdtempSync(join(temporaryFolder, "tenon-upload-"));
    files += 1;
    return join(directory, String(files));
  };
  try {
    for await (const { headers, content } of readParts(body, toBoundary(contentType))) {
      if (parts.length === limits.parts)
        throw new HttpError("content_too_large", { message: `The form has more than ${limits.parts} parts` });
      const { name, filename } = parseDisposition(headers.get("content-disposition") ?? "");
      const asFile = isFile(name === undefined ? undefined : findField(name), filename);
      const limit = asFile ? limits.fileBytes : limits.fieldBytes;
      const inMemory = asFile ? limits.memoryBytes : limit;
      const received = await readContent(content, { limit, inMemory, createPath });
      if (received === undefined)
        refusePart("content_too_large", name ?? "", `is larger than ${limit} bytes`);
      const encoding = headers.get("content-transfer-encoding")?.toLowerCase() ?? "7bit";
      const mediaType = headers.get("content-type") ?? "text/plain";
      parts.push({ name, filename, encoding, mediaType, ...received });
    }
    return parts;
  } catch (cause) {
    removeFiles();
    // A full disk is not the sender's mistake.
    if (cause instanceof HttpError || (cause as NodeJS.ErrnoException).syscall !== undefined) throw cause;
    throw new HttpError("malformed_request", { message: "The body is not a whole multipart form", cause });
  }
}

/** RFC 2046, section 5.1.1. */
function toBoundary(contentType: string): string {
  const boundary = parseMediaType(contentType)?.parameters.get("boundary") ?? "";
  if (/^[^]{1,70}$/.test(boundary)) return boundary;
  throw new HttpError("malformed_request", {
    message: "Content-Type must have a boundary of 1 to 70 characters",
  });
}

/** Bytes of a file that are written at once. */
const WRITE_BYTES = 65_536;

interface ContentLimits {
  readonly limit: number;
  readonly inMemory: number;
  readonly createPath: () => string;
}

/** @returns undefined for a part that is larger than the limit. */
async function readContent(
  content: AsyncIterable<Buffer>,
  { limit, inMemory, createPath }: ContentLimits,
): Promise<Pick<Part, "size" | "content"> | undefined> {
  const waiting = new CollectedBytes();
  let size = 0;
  let path: string | undefined;
  let file: FileHandle | undefined;
  try {
    for await (const chunk of content) {
      size += chunk.byteLength;
      if (size > limit) return undefined;
      waiting.add(chunk);
      if (size <= inMemory || (path !== undefined && waiting.size < WRITE_BYTES)) continue;
      path ??= createPath();
      file ??= await open(path, "wx", 0o600);
      await file.writeFile(waiting.take());
    }
    await file?.writeFile(waiting.take());
  } finally {
    await file?.close();
  }
  return { size, content: path ?? waiting.take() };
}
