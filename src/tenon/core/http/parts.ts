import { isRange, type ParsedMediaType, parseMediaType, toEssence, toMediaKind } from "./media-type.js";
import { formatJson } from "../json/format-json.js";

/**
 * A part of a multipart body whose parts have no names, as handlers and clients see it. `value` is what its media type says: the
 * value of JSON, a text, bytes, or the parts of a multipart body in it.
 */
export interface PartValue {
  readonly value: unknown;
  /** Media type of the part. May be left out where the contract declares only one. */
  readonly mediaType?: string;
  /** Headers of the part, by the names of the contract. */
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** Declarations of the parts of a multipart body, by position. */
export interface Positions {
  readonly prefix?: readonly Position[];
  /** The parts after `prefix`. Absent if there are none. */
  readonly rest?: Position;
  /** Set if the parts are one list; else they are read one by one. */
  readonly whole?: true;
}

export interface Position {
  /** Media types and ranges; the first one is the default. */
  readonly mediaTypes: readonly string[];
  /** Set if a text is a number or a boolean (`json`), or bytes are a text (`text`). */
  readonly as?: "json" | "text";
  /** How the values of headers are read, by name. */
  readonly headers?: Readonly<Record<string, "json" | "text">>;
  /** Least and greatest number of bytes, if the part is bytes. */
  readonly size?: { readonly min?: number; readonly max?: number };
  /** The parts of a part that is a multipart body itself. */
  readonly parts?: Positions;
}

export type PartKind = "json" | "text" | "binary" | "parts";

/** Returns what is declared for the part at an index; undefined if no part may be there. */
export function findPosition({ prefix = [], rest }: Positions, index: number): Position | undefined {
  return prefix[index] ?? rest;
}

/** Returns how the content of a part is read. */
export function toPartKind(mediaType: string, { as, parts }: Pick<Position, "as" | "parts"> = {}): PartKind {
  if (parts !== undefined && isMultipart(mediaType)) return "parts";
  const kind = toMediaKind(mediaType);
  if (kind === "json") return kind;
  return as ?? (kind === "text" || kind === "form" ? "text" : "binary");
}

/** Tests for a media type such as `multipart/mixed` or `multipart/form-data`. */
export function isMultipart(mediaType: string): boolean {
  return toEssence(mediaType).startsWith("multipart/");
}

/**
 * Returns the media type of a received part without a `Content-Type`: the only one that is declared, or `text/plain` (RFC 2046,
 * section 5.2).
 */
export function toUsualType({ mediaTypes }: Pick<Position, "mediaTypes">): string {
  const [only = "text/plain", ...others] = mediaTypes;
  return others.length === 0 && !isRange(only) ? only : "text/plain";
}

/** @throws {Error} when it is missing or too long (RFC 2046, section 5.1.1). */
export function toBoundary(contentType: string | ParsedMediaType | undefined): string {
  const parsed = typeof contentType === "string" ? parseMediaType(contentType) : contentType;
  const boundary = parsed?.parameters.get("boundary") ?? "";
  if (/^[^]{1,70}$/.test(boundary)) return boundary;
  throw new Error("Content-Type must have a boundary of 1 to 70 characters");
}

/**
 * Parses what follows a delimiter: the rest of its line, which is empty, and the headers.
 * @param isKept Tests a name in lower case. Other headers are ignored.
 * @throws {Error} for an invalid header, and for one that is kept and comes twice.
 */
export function parsePartHead(
  head: Uint8Array,
  isKept: (name: string) => boolean = () => true,
): ReadonlyMap<string, string> {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(head);
  const [rest = "", ...lines] = text
    .replace(/^[ \t]+/, "")
    .replace(/\r\n(?=[ \t])/g, "")
    .split("\r\n");
  if (rest !== "") throw new Error("A delimiter is not a line");
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):([^\r\n]*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error("A part has an invalid header");
    const key = name.toLowerCase();
    if (!isKept(key) || value.trim() === "") continue;
    if (headers.has(key)) throw new Error(`A part has the header ${key} twice`);
    headers.set(key, value.trim());
  }
  return headers;
}

/** Reads the declared headers of a part, by their declared names; undefined if none is declared. */
export function readPartHeaders(
  sent: ReadonlyMap<string, string>,
  { headers }: Position,
): Record<string, unknown> | undefined {
  if (headers === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, as]): [string, unknown][] => {
      const text = sent.get(name.toLowerCase());
      return text === undefined ? [] : [[name, as === "json" ? toPlain(text) : text]];
    }),
  );
}

/** Converts the text of a number or a boolean; another text stays one, so that its schema refuses it. */
export function toPlain(text: string): unknown {
  return /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(text)
    ? (JSON.parse(text) as unknown)
    : text;
}

/**
 * Formats what precedes the content of a part.
 * @returns its media type, and its head after the delimiter: `\r\nContent-Type: text/plain\r\n\r\n`.
 * @throws {TypeError} when the media type is missing or undeclared, or a header has a line break.
 */
export function formatPartHead(
  part: PartValue,
  position: Position | undefined,
  index: number,
  boundary?: string,
) {
  const place = `Part ${index + 1}`;
  if (position === undefined) throw new TypeError(`${place} is not declared`);
  const [usual = "application/octet-stream", ...others] = position.mediaTypes;
  const mediaType = part.mediaType ?? usual;
  if (part.mediaType === undefined && (others.length > 0 || isRange(usual)))
    throw new TypeError(`${place} must have a mediaType: ${position.mediaTypes.join(" or ")}`);
  const kind = toPartKind(mediaType, position);
  const contentType = kind === "parts" ? `${mediaType}; boundary=${boundary ?? ""}` : mediaType;
  const headers = Object.entries(part.headers ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === "string" ? value : JSON.stringify(value)] as const],
  );
  const lines = [["Content-Type", contentType] as const, ...headers].map(
    ([name, value]) => `${name}: ${value}`,
  );
  for (const line of lines)
    if (/[\r\n\0]/.test(line)) throw new TypeError(`A header of ${place} must not contain a line break`);
  return { kind, head: `\r\n${lines.join("\r\n")}\r\n\r\n` };
}

/** Tests for a part. */
export function isPart(item: unknown): item is PartValue {
  return typeof item === "object" && item !== null && "value" in item;
}

/** Returns the text of a part that is JSON or text. */
export function toPartText(kind: "json" | "text", value: unknown): string {
  return kind === "json" ? formatJson(value) : String(value);
}
