import { rm } from "node:fs/promises";
import { findMediaType, toEssence } from "../../core/http/media-type.js";
import {
  findPosition,
  type PartValue,
  type Position,
  type Positions,
  readPartHeaders,
  toPartKind,
  toPlain,
  toUsualType,
} from "../../core/http/parts.js";
import { HttpError } from "../errors/http-error.js";
import { assertSize, toTooLarge, toTooLong } from "./body-errors.js";
import { parseExactJson } from "./json.js";
import { KeptFile } from "./kept-file.js";
import type { MultipartLimits } from "./multipart.js";
import { type ArrivingPart, findBoundary, readParts } from "./multipart-parts.js";
import { readContent, type TemporaryFiles } from "./part-content.js";
import { decodeText } from "./request-content.js";
import type { ReceivedItem } from "./sent-items.js";

export interface PartsOptions {
  /** The body's `Content-Type`, which has the boundary. */
  readonly contentType: string;
  readonly positions: Positions;
  readonly limits: MultipartLimits;
  readonly files: TemporaryFiles;
}

/**
 * Reads the parts of a multipart body by their position, each when it is asked for. A part that is a temporary file is removed when the
 * next one is asked for.
 * @throws {HttpError} `malformed_request`, `malformed_json`, `content_too_large`, `unsupported_media_type`, `invalid_body`.
 */
export async function* streamParts(
  body: AsyncIterable<Buffer>,
  options: PartsOptions,
): AsyncGenerator<readonly ReceivedItem[], void> {
  for await (const { part, paths, place } of receive(body, options, "")) {
    yield [{ place, value: part }];
    await Promise.all(paths.map((path) => rm(path, { force: true })));
  }
}

/** Reads all parts of a multipart body by their position. */
export async function readAllParts(
  body: AsyncIterable<Buffer>,
  options: PartsOptions,
): Promise<readonly PartValue[]> {
  try {
    return (await collect(body, options, "")).map(({ part }) => part);
  } catch (error) {
    options.files.remove();
    throw error;
  }
}

interface Received {
  readonly part: PartValue;
  /** `Part 2`, or `Part 2.1` in a part. */
  readonly place: string;
  /** The temporary files of the part. */
  readonly paths: readonly string[];
}

async function collect(
  body: AsyncIterable<Buffer>,
  options: PartsOptions,
  outer: string,
): Promise<readonly Received[]> {
  const all: Received[] = [];
  for await (const received of receive(body, options, outer)) {
    if (all.length === options.limits.parts)
      throw new HttpError("content_too_large", { message: `The body has more than ${all.length} parts` });
    all.push(received);
  }
  return all;
}

async function* receive(
  body: AsyncIterable<Buffer>,
  options: PartsOptions,
  outer: string,
): AsyncGenerator<Received, void> {
  const { contentType, positions } = options;
  let index = 0;
  try {
    for await (const arriving of readParts(body, findBoundary(contentType), () => true)) {
      const place = `${outer === "" ? "Part " : `${outer}.`}${index + 1}`;
      const position = findPosition(positions, index);
      if (position === undefined) throw new HttpError("invalid_body", { message: `${place} is not allowed` });
      yield await receivePart(arriving, { ...options, position, place });
      index += 1;
    }
  } catch (cause) {
    // A full disk is not the sender's mistake.
    if (cause instanceof HttpError || (cause as NodeJS.ErrnoException).syscall !== undefined) throw cause;
    throw new HttpError("malformed_request", { message: "The body is not a whole multipart body", cause });
  }
}

/** `Part 2.1` is at `/1/value/0/value`. */
function toPath(place: string): readonly string[] {
  const numbers = place.slice("Part ".length).split(".");
  return numbers.flatMap((number) => [String(Number(number) - 1), "value"]);
}

async function receivePart(
  { headers: sent, content }: ArrivingPart,
  options: PartsOptions & { readonly position: Position; readonly place: string },
): Promise<Received> {
  const { position, place, limits, files } = options;
  const contentType = sent.get("content-type") ?? toUsualType(position);
  const { mediaTypes } = position;
  if (
    findMediaType(
      mediaTypes.map((name) => ({ name })),
      contentType,
    ) === undefined
  )
    throw new HttpError("unsupported_media_type", { message: `${place} must be ${mediaTypes.join(" or ")}` });
  const coding = sent.get("content-transfer-encoding")?.toLowerCase() ?? "binary";
  const kind = toPartKind(contentType, position);
  // Encoded text is the value where the schema says so.
  if (!["7bit", "8bit", "binary"].includes(coding) && kind !== "text")
    throw new HttpError("unsupported_media_type", {
      message: `${place} must not have a Content-Transfer-Encoding`,
    });
  const headers = readPartHeaders(sent, position);
  const toReceived = (value: unknown, paths: readonly string[] = []): Received => ({
    part: { value, mediaType: toEssence(contentType), ...(headers && { headers }) },
    place,
    paths,
  });
  if (kind === "parts") {
    const inner = await collect(content, { ...options, contentType, positions: position.parts ?? {} }, place);
    return toReceived(
      inner.map(({ part }) => part),
      inner.flatMap(({ paths }) => paths),
    );
  }
  const { min = 0, max = Infinity } = kind === "binary" ? (position.size ?? {}) : {};
  const limit = kind === "binary" ? Math.min(limits.fileBytes, max) : limits.fieldBytes;
  const inMemory = kind === "binary" ? limits.memoryBytes : limit;
  const received = await readContent(content, { limit, inMemory, files });
  const bytes = { subject: place, path: toPath(place) };
  if (received === undefined)
    throw limit === max ? toTooLong(max, bytes) : toTooLarge(limit, { subject: place });
  assertSize(received.size, { min }, bytes);
  if (kind === "binary" || typeof received.content === "string") {
    const file = new KeptFile("", toEssence(contentType), received.size, received.content);
    return toReceived(file, typeof received.content === "string" ? [received.content] : []);
  }
  if (kind === "json" && position.as === undefined)
    return toReceived(parseExactJson(received.content, place));
  const text = decodeText(received.content, place);
  return toReceived(kind === "json" ? toPlain(text) : text);
}
