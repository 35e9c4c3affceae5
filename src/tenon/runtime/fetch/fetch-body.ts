import type { Readable } from "node:stream";
import type { RequestBody as DeclaredBody } from "../../core/model/index.js";
import { assertSize, toTooLarge, toUnsupportedCoding } from "../body/body-errors.js";
import { parseCheckedJson } from "../body/checked-json.js";
import { type BodyHead, createBodyMatcher, NO_BODY, type RequestBody } from "../body/declared-body.js";
import { ReceivedFile } from "../body/form-files.js";
import { addPart, type SentParts } from "../body/form-parts.js";
import { createFormReader, type FormReader } from "../body/form.js";
import { decodeText } from "../body/request-content.js";
import { type ReceivedItem, SentItems } from "../body/sent-items.js";
import { HttpError } from "../errors/http-error.js";
import { fromBinaryString, toBinaryString } from "../http/binary-string.js";
import { parseQuery } from "../parameters/read-parameters.js";

/** Reads a body that has arrived, as `BodyReader` does. */
export type FetchBodyReader = (head: BodyHead, bytes: Uint8Array) => Promise<RequestBody>;

/**
 * Creates the reader of one operation's bodies.
 * @param limit Largest body in bytes, after decompression.
 */
export function createFetchBodyReader(declared: DeclaredBody, limit: number): FetchBodyReader {
  const forms = new Map(
    declared.mediaTypes.flatMap(({ name, form }) =>
      typeof form === "object" ? [[name, createFormReader(form)] as const] : [],
    ),
  );
  const noForm = createFormReader({ fields: [] });
  const match = createBodyMatcher(declared);
  return async (head, sent) => {
    const matching = match(head);
    if (matching === undefined) return NO_BODY;
    const { mediaType, essence, kind, items, size } = matching;
    const form = forms.get(mediaType) ?? noForm;
    const bytes = await decompress(sent, head);
    if (bytes.byteLength > limit) throw toTooLarge(limit);
    const read = async (): Promise<unknown> => {
      switch (kind) {
        case "json":
          return parseCheckedJson(bytes);
        case "text":
          return decodeText(bytes, "The body");
        case "form":
          return form.read({
            texts: parseQuery(decodeText(bytes, "The body"), "The form"),
            files: new Map(),
          });
        case "multipart":
          return form.read(await readMultipart(bytes, head, form.findField));
        case "items":
          if (items?.parts !== undefined) throw toUnreadableParts(mediaType);
          return new SentItems(splitItems(bytes, items?.format === "records" ? RECORDS : LINES));
        case "binary":
          assertSize(bytes.byteLength, size);
          return readOnce(bytes);
      }
    };
    return { mediaType, contentType: essence, value: await read() };
  };
}

/** Parts by position are read by Node's streams. */
function toUnreadableParts(mediaType: string): HttpError {
  return new HttpError("not_implemented", {
    message: `The parts of ${mediaType} can only be read by an Express service, such as "tenon mock"`,
  });
}

async function decompress(bytes: Uint8Array, { headers }: BodyHead): Promise<Uint8Array> {
  const coding = headers["content-encoding"]?.toLowerCase() ?? "identity";
  if (coding === "identity") return bytes;
  if (coding !== "gzip" && coding !== "deflate") throw toUnsupportedCoding();
  try {
    const stream = toBlob(bytes).stream().pipeThrough(new DecompressionStream(coding));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch (cause) {
    throw new HttpError("malformed_request", { message: "The body cannot be decompressed", cause });
  }
}

/** A file of a form, in memory. */
class MemoryFile extends ReceivedFile {
  readonly isOnDisk = false;

  constructor(
    filename: string,
    mediaType: string,
    readonly bytes: Uint8Array,
  ) {
    super(filename, mediaType, bytes.byteLength);
  }

  stream(): Readable {
    return readOnce(this.bytes);
  }
}

/** There are no streams of Node here. Handlers iterate either kind. */
function readOnce(bytes: Uint8Array): Readable {
  return toBlob(bytes).stream() as unknown as Readable;
}

function toBlob(bytes: Uint8Array): Blob {
  return new Blob([bytes]);
}

async function readMultipart(
  bytes: Uint8Array,
  { headers }: BodyHead,
  findField: FormReader["findField"],
): Promise<SentParts> {
  const sent: SentParts = { texts: new Map(), files: new Map() };
  for (const [name, value] of await parseForm(bytes, headers["content-type"] ?? "")) {
    const isText = typeof value === "string";
    const content = isText ? new TextEncoder().encode(value) : new Uint8Array(await value.arrayBuffer());
    const filename = isText ? undefined : value.name;
    const mediaType = isText || value.type === "" ? "text/plain" : value.type;
    addPart(
      sent,
      { name, filename, encoding: "binary", mediaType, size: content.byteLength },
      { findField, bytes: content, toFile: (file, type) => new MemoryFile(file, type, content) },
    );
  }
  return sent;
}

async function parseForm(bytes: Uint8Array, contentType: string): Promise<FormData> {
  try {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- pages have no other parser, and servers use another one
    return await new Response(toBlob(bytes), { headers: { "Content-Type": contentType } }).formData();
  } catch (cause) {
    throw new HttpError("malformed_request", { message: "The body is not a whole multipart form", cause });
  }
}

/** `first` is the number of the part before the first separator. */
const LINES = { name: "Line", separator: "\n", first: 1 };
const RECORDS = { name: "Record", separator: "\u001E", first: 0 };

/** Splits a body into its items, without blank ones. Each is parsed when it is asked for. */
async function* splitItems(
  bytes: Uint8Array,
  { name, separator, first }: typeof LINES,
): AsyncGenerator<Iterable<ReceivedItem>, void> {
  // A character for each byte: an item that is not UTF-8 is refused by its line.
  const text = toBinaryString(bytes);
  const parts = text.split(separator).map((part, index) => ({ part, place: `${name} ${index + first}` }));
  const items = parts.filter(({ part }) => !/^[\t\n\r ]*$/.test(part));
  if (items.some(({ place }) => place === "Record 0"))
    throw HttpError.refusal("malformed_json", { message: "The body does not begin with U+001E" });
  yield parseItems(items);
  await Promise.resolve();
}

function* parseItems(items: readonly { readonly part: string; readonly place: string }[]) {
  for (const { part, place } of items) {
    yield { place, value: parseCheckedJson(fromBinaryString(part), place) };
  }
}
