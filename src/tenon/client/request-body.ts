import { coversEssence, isRange, toEssence, toMediaKind } from "../core/http/media-type.js";
import { findItemFormat, type ItemFormat } from "../core/http/item-format.js";
import { isNode } from "../core/document/node.js";
import { formatJson } from "../core/json/format-json.js";
import { formatAsPairs, toPlainText } from "../core/parameters/styles/index.js";
import type { ClientOperation, WrittenStyle } from "./contract.js";

type RequestBody = NonNullable<RequestInit["body"]>;

export interface WrittenBody {
  readonly body: RequestBody | undefined;
  /** Undefined without a body, and for a multipart form, for which `fetch` sets the boundary. */
  readonly contentType: string | undefined;
  /** Ends the caller's iteration of items, if it is still running. */
  readonly end?: () => void;
}

type BodyOperation = Pick<ClientOperation, "mediaTypes" | "fields" | "parts" | "writeContent" | "writeParts">;

/**
 * Writes a request body in one of the operation's media types.
 * @param chosen The media type that the caller wants. Default: JSON where it is declared, else the first.
 * @throws {TypeError} when the contract does not declare it, when it is a range, and for a part that cannot be written.
 */
export function writeBody(
  value: unknown,
  chosen: string | undefined,
  { mediaTypes = ["application/json"], fields = {}, parts, writeContent: write, writeParts }: BodyOperation,
): WrittenBody {
  if (value === undefined) return { body: undefined, contentType: undefined };
  const json = "application/json";
  const mediaType = chosen ?? (mediaTypes.includes(json) ? json : mediaTypes[0]) ?? json;
  if (!mediaTypes.some((name) => coversEssence(toEssence(name), toEssence(mediaType))))
    throw new TypeError(`The contract declares no body of ${mediaType} here, but ${mediaTypes.join(" or ")}`);
  if (isRange(mediaType)) throw new TypeError(`Choose a media type for the body: ${mediaType} is a range`);
  const positions = parts?.sent?.[mediaTypes.find((name) => toEssence(name) === toEssence(mediaType)) ?? ""];
  const list = positions && writeParts?.(value, mediaType, positions);
  if (list !== undefined) return list;
  if (toMediaKind(mediaType) === "json") return { body: toJson(value), contentType: mediaType };
  return write?.(value, mediaType, fields) ?? { body: value as RequestBody, contentType: mediaType };
}

/** Browsers cannot stream a request over HTTP/1.1, or not at all. A stream that the caller made is the caller's choice. */
export async function collectInBrowser(content: WrittenBody, given: unknown): Promise<WrittenBody> {
  if (!("location" in globalThis) || !(content.body instanceof ReadableStream) || content.body === given)
    return content;
  return { ...content, body: await new Response(content.body).blob() };
}

/** @throws {TypeError} that names the property that JSON cannot represent: a bigint, or an object that contains itself. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    let last = "";
    try {
      JSON.stringify(value, (key, member: unknown) => ((last = key), member));
    } catch {
      // The last key is that of the property.
    }
    const [why] = (cause as Error).message.split("\n", 1);
    throw new TypeError(`Cannot send the body: "${last}": ${why}`, { cause });
  }
}

/**
 * Writes a body that is not JSON: a form, a multipart form, items one by one, a text or bytes. Generated code passes it to
 * {@link defineCall} for the operations that have such bodies.
 * @example
 * const importPets: ClientOperation = {
 *   id: "importPets",
 *   method: "post",
 *   path: "/pets/import",
 *   responses: [[204]],
 *   mediaTypes: ["application/jsonl"],
 *   writeContent,
 * };
 */
export function writeContent(value: unknown, mediaType: string, fields: Styles): WrittenBody {
  const kind = toMediaKind(mediaType);
  if (kind === "multipart") return { body: toFormData(value, fields), contentType: undefined };
  if (kind === "form") return { body: toUrlEncoded(value, fields), contentType: mediaType };
  const format = findItemFormat(mediaType);
  const items = format === undefined || format === "parts" || isBytes(value) ? undefined : toIterable(value);
  if (format && items) return { ...toItemBody(items, format), contentType: mediaType };
  return { body: value as RequestBody, contentType: mediaType };
}

/** Tests for a body that is sent unchanged, although some can be iterated. */
export function isBytes(value: unknown): boolean {
  return typeof value === "string" || ArrayBuffer.isView(value) || value instanceof ReadableStream;
}

type Items = Iterable<unknown> | AsyncIterable<unknown>;

export function toIterable(value: unknown): Items | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return Symbol.asyncIterator in value || Symbol.iterator in value ? (value as Items) : undefined;
}

/** An array is complete, so that `Content-Length` is known. Other items are serialized while the service reads them. */
function toItemBody(items: Items, format: ItemFormat): Pick<WrittenBody, "body" | "end"> {
  const toText = (item: unknown, index: number) => {
    try {
      return `${format === "records" ? "\u001E" : ""}${formatJson(item)}\n`;
    } catch (cause) {
      throw new TypeError(`Item ${index + 1} is not a JSON value: ${(cause as Error).message}`, { cause });
    }
  };
  return Array.isArray(items)
    ? { body: new Blob(items.map(toText)) }
    : toStream(items, { write: (item, index) => [toText(item, index)] });
}

/** Length of the text of several items that are sent in one chunk. */
const CHUNK_LENGTH = 16_384;

interface ItemWriter {
  readonly write: (item: unknown, index: number) => readonly (string | Blob | Uint8Array)[];
  /** Returns the text after the last item. */
  readonly formatEnd?: (count: number) => string;
}

/** Writes items while the service reads them. */
export function toStream(
  items: Items,
  { write, formatEnd: formatLast }: ItemWriter,
): Required<Pick<WrittenBody, "body" | "end">> {
  const isSync = !(Symbol.asyncIterator in items);
  const iterator = isSync ? items[Symbol.iterator]() : items[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const end = () => void Promise.resolve(iterator.return?.()).catch(() => undefined);
  let index = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      let text = "";
      let isOver: boolean;
      const flush = () => {
        if (text !== "") controller.enqueue(encoder.encode(text));
        text = "";
      };
      // Items that are ready at the same time are sent together.
      do {
        const next = isSync ? (iterator as Iterator<unknown>).next() : await iterator.next();
        isOver = next.done === true;
        const written = next.done === true ? [formatLast?.(index) ?? ""] : write(next.value, index);
        index += 1;
        for (const piece of written) {
          if (typeof piece === "string") {
            text += piece;
            continue;
          }
          flush();
          controller.enqueue(piece instanceof Blob ? new Uint8Array(await piece.arrayBuffer()) : piece);
        }
      } while (isSync && !isOver && text.length < CHUNK_LENGTH);
      flush();
      if (isOver) controller.close();
    },
    cancel: end,
  });
  return { body, end };
}

type Styles = Readonly<Record<string, WrittenStyle>>;

/** A field of a form, its name and text encoded as in a query. */
export type Field = readonly [name: string, value: string | Blob];

function toUrlEncoded(value: unknown, styles: Styles): RequestBody {
  if (!isFieldList(value))
    return value instanceof URLSearchParams ? value.toString() : (value as RequestBody);
  return toFields(value, styles)
    .map(([name, text]) => {
      if (typeof text === "string") return `${name}=${text}`;
      throw new TypeError(`Cannot send the field "${decodeURIComponent(name)}": it is not text`);
    })
    .join("&");
}

function toFormData(value: unknown, styles: Styles): RequestBody {
  if (!isFieldList(value)) return value as RequestBody;
  const form = new FormData();
  for (const [name, item] of toFields(value, styles))
    form.append(decodeURIComponent(name), typeof item === "string" ? decodeURIComponent(item) : item);
  return form;
}

/** Anything else is ready to be sent: a form that the caller made, a text or bytes. */
function isFieldList(value: unknown): value is Readonly<Record<string, unknown>> {
  return isNode(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
}

/** The fields of a form whose body is an object. */
export function toFields(value: Readonly<Record<string, unknown>>, styles: Styles): readonly Field[] {
  return Object.entries(value).flatMap(([name, member]): readonly Field[] => {
    if (member === undefined) return [];
    const styled = Object.hasOwn(styles, name) ? styles[name] : undefined;
    if (styled !== undefined) {
      const { style = "form", explode = style === "form", allowReserved } = styled;
      return formatAsPairs({ name, in: "form", style, explode, allowReserved }, member);
    }
    const items: readonly unknown[] = Array.isArray(member) ? member : [member];
    return items.map((item) => [encodeURIComponent(name), toFieldValue(name, item)] as const);
  });
}

/** An object is JSON, as the default of OpenAPI's encoding says. */
function toFieldValue(name: string, item: unknown): Field[1] {
  if (item instanceof Blob) return item;
  if (item instanceof ArrayBuffer || ArrayBuffer.isView(item)) return new Blob([item as ArrayBuffer]);
  const text = typeof item === "string" ? item : JSON.stringify(item);
  return encodeURIComponent(toPlainText({ name, in: "form", style: "form", explode: true }, text));
}
