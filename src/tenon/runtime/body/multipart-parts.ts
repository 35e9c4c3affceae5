import { parsePartHead, toBoundary } from "../../core/http/parts.js";
import { HttpError } from "../errors/http-error.js";

/** Largest head of a part, in bytes. */
const HEAD_LIMIT = 8_192;

const HEAD_END = "\r\n\r\n";

/** A part of a multipart body while it arrives. */
export interface ArrivingPart {
  /** Values of the headers that count, by name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** The content without its end, which the next part follows. */
  readonly content: AsyncIterable<Buffer>;
}

/**
 * Reads the parts of a multipart body (RFC 2046, section 5.1.1), no faster than they are iterated. The content of each part has to
 * be read before the next part.
 * @param isKept Tests the name of a header, in lower case.
 * @throws {Error} when the body is not a whole multipart body, or a part has an invalid head.
 */
export async function* readParts(
  body: Iterable<Buffer> | AsyncIterable<Buffer>,
  boundary: string,
  isKept: (header: string) => boolean,
): AsyncGenerator<ArrivingPart, void> {
  const bytes = new ArrivingBytes(body);
  const delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  // The text before the first delimiter is ignored. `ArrivingBytes` starts with a line break.
  const preamble = bytes.readUntil(delimiter);
  while ((await preamble.next()).done !== true);
  while ((await bytes.peek(2)) !== "--") {
    const head = await bytes.takeUntil(HEAD_END, HEAD_LIMIT);
    yield { headers: parsePartHead(head, isKept), content: bytes.readUntil(delimiter) };
  }
  await bytes.skip();
}

/** @throws {HttpError} `malformed_request` when a `Content-Type` has no boundary. */
export function findBoundary(contentType: string): string {
  try {
    return toBoundary(contentType);
  } catch (cause) {
    throw new HttpError("malformed_request", { message: (cause as Error).message, cause });
  }
}

/** The bytes of a body that have arrived and were not read yet. */
class ArrivingBytes {
  readonly #source: AsyncGenerator<Buffer, void>;
  #rest = Buffer.from("\r\n");

  constructor(body: Iterable<Buffer> | AsyncIterable<Buffer>) {
    this.#source = (async function* () {
      yield* body;
    })();
  }

  /** Reads what is before a delimiter, and skips the delimiter. */
  async *readUntil(delimiter: Buffer): AsyncGenerator<Buffer, void> {
    for (;;) {
      const end = this.#rest.indexOf(delimiter);
      // The last bytes may be the first ones of the delimiter.
      const length = end < 0 ? this.#rest.byteLength - delimiter.byteLength + 1 : end;
      const chunk = this.#rest.subarray(0, Math.max(0, length));
      this.#rest = this.#rest.subarray(chunk.byteLength + (end < 0 ? 0 : delimiter.byteLength));
      if (chunk.byteLength > 0) yield chunk;
      if (end >= 0) return;
      await this.#arrive();
    }
  }

  /** Returns what is before a delimiter, and skips the delimiter. */
  async takeUntil(delimiter: string, limit: number): Promise<Buffer> {
    for (;;) {
      const end = this.#rest.indexOf(delimiter);
      if (end > limit || (end < 0 && this.#rest.byteLength > limit))
        throw new Error(`A part has more than ${limit} bytes of headers`);
      if (end >= 0) {
        const taken = this.#rest.subarray(0, end);
        this.#rest = this.#rest.subarray(end + delimiter.length);
        return taken;
      }
      await this.#arrive();
    }
  }

  async peek(length: number): Promise<string> {
    while (this.#rest.byteLength < length) await this.#arrive();
    return this.#rest.toString("latin1", 0, length);
  }

  async skip(): Promise<void> {
    while ((await this.#source.next()).done !== true);
  }

  async #arrive(): Promise<void> {
    const next = await this.#source.next();
    if (next.done === true) throw new Error("The body ends before its last delimiter");
    this.#rest = Buffer.concat([this.#rest, next.value]);
  }
}

/** A parameter: its name and its value, in quotes or not. */
const PARAMETER = /[ \t]*;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\[^])*)"|([^;"]*))[ \t]*)?/y;

/**
 * Parses a `Content-Disposition` of `form-data` (RFC 7578, section 4.2). Clients write UTF-8 into names; for file names, some use
 * `filename*` of RFC 8187.
 * @throws {Error} when a parameter is invalid or there twice.
 */
export function parseDisposition(text: string): { readonly name?: string; readonly filename?: string } {
  const [type = ""] = text.split(";", 1);
  if (type.trim().toLowerCase() !== "form-data") return {};
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = type.trimEnd().length;
  while (PARAMETER.lastIndex < text.length) {
    const match = PARAMETER.exec(text);
    if (match === null) throw new Error("A part has an invalid Content-Disposition");
    const [, name, quoted, plain = ""] = match;
    if (name === undefined) continue;
    const key = name.toLowerCase();
    if (parameters.has(key)) throw new Error(`Content-Disposition has the parameter ${key} twice`);
    // Old clients send the backslashes of paths unescaped.
    parameters.set(key, quoted?.replace(/\\(["\\])/g, "$1") ?? plain.trim());
  }
  const name = parameters.get("name");
  const encoded = parameters.get("filename*");
  const path = encoded === undefined ? parameters.get("filename") : decodeExtended(encoded);
  return {
    ...(name !== undefined && { name }),
    ...(path !== undefined && { filename: toBaseName(path) }),
  };
}

/** `UTF-8''a%20b` is `a b`. */
function decodeExtended(text: string): string {
  const [, encoded] = /^utf-8'[^']*'(.*)$/is.exec(text) ?? [];
  if (encoded === undefined) throw new Error("filename* must be in UTF-8");
  return decodeURIComponent(encoded);
}

function toBaseName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  return name === "." || name === ".." ? "" : name;
}
