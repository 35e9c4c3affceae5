import {
  toFieldStyles,
  toSentParts,
  toStyles,
  toUrlPath,
  writeBody,
  writeContent,
  writeParameters,
} from "tenon/client/internal";
import { isNode } from "tenon/core/document";
import { toRequestKind } from "tenon/core/model";
import type { SentCredentials, SentPair } from "./credentials.js";
import { type FormFile, listFiles, type RequestParts } from "./test-case.js";

/** A request as it is sent. */
export interface WireRequest {
  readonly method: string;
  /** Below the base address, with its query. */
  readonly path: string;
  /** The same as a report shows it, without credentials. */
  readonly shownPath: string;
  readonly headers: readonly SentPair[];
  readonly body?: Uint8Array<ArrayBuffer>;
}

/** @returns undefined when a value cannot be written: a comma in an item of a list that commas separate. */
export async function tryWriteRequest(
  parts: RequestParts,
  credentials: SentCredentials,
): Promise<WireRequest | undefined> {
  try {
    return await writeRequest(parts, credentials);
  } catch (error) {
    // Half of a surrogate pair cannot be escaped.
    if (error instanceof TypeError || error instanceof URIError) return undefined;
    throw error;
  }
}

/**
 * Writes a request by its parameters' styles and its media type.
 * @throws {TypeError} for a value that cannot be written, with the reason.
 * @throws {URIError} for half of a surrogate pair.
 */
export async function writeRequest(parts: RequestParts, credentials: SentCredentials): Promise<WireRequest> {
  const { operation } = parts;
  const written = writeParameters(toUrlPath(operation.path), parts.value, {
    parameters: toStyles(operation),
  });
  const body = await toBody(parts);
  const query = (pairs: readonly SentPair[], key: "value" | "shown") =>
    [
      ...written.query.map((pair) => pair.join("=")),
      ...pairs.map(
        (pair) =>
          `${encodeURIComponent(pair.name)}=${key === "value" ? encodeURIComponent(pair.value) : pair.shown}`,
      ),
    ].join("&");
  const join = (text: string) => (text === "" ? written.path : `${written.path}?${text}`);
  return {
    method: operation.method.toUpperCase(),
    path: join(query(credentials.query, "value")),
    shownPath: join(query(credentials.query, "shown")),
    headers: [
      { name: "Accept", value: "*/*", shown: "*/*" },
      ...written.headers.map(([name, value]) => ({ name, value, shown: value })),
      ...toCookies(written.cookies, credentials.cookie),
      ...credentials.header,
      ...(body ? [{ name: "Content-Type", value: body.contentType, shown: body.contentType }] : []),
    ],
    ...(body && { body: body.bytes }),
  };
}

function toCookies(
  written: readonly (readonly [string, string])[],
  credentials: readonly SentPair[],
): readonly SentPair[] {
  const own = written.map(([name, text]) => ({ name, value: text, shown: text }));
  const all = [...own, ...credentials];
  if (all.length === 0) return [];
  const join = (key: "value" | "shown") => all.map((pair) => `${pair.name}=${pair[key]}`).join("; ");
  return [{ name: "Cookie", value: join("value"), shown: join("shown") }];
}

async function toBody({ shape: { mediaType }, value, raw }: RequestParts) {
  if (raw !== undefined) return { bytes: new TextEncoder().encode(raw.text), contentType: raw.contentType };
  if (mediaType === undefined || value.body === undefined) return undefined;
  const { name } = mediaType;
  const kind = toRequestKind(mediaType);
  const given = kind === "multipart" ? toFileParts(value.body, listFiles(mediaType)) : value.body;
  const isPlain = kind === "text" || kind === "binary";
  const sent =
    isPlain && typeof given !== "string" && !(given instanceof Blob) ? JSON.stringify(given) : given;
  const { body, contentType } = writeBody(sent, name, {
    mediaTypes: [name],
    fields: toFieldStyles(mediaType),
    ...toSentParts(mediaType),
    writeContent,
  });
  if (body === undefined) return undefined;
  // Only this knows the boundary of a multipart form.
  const response = new Response(body);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { bytes, contentType: contentType ?? response.headers.get("content-type") ?? name };
}

/** Sends a declared file as one, whatever its value is. */
function toFileParts(body: unknown, files: ReadonlyMap<string, FormFile>): unknown {
  if (!isNode(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, member]) => {
      const file = files.get(name);
      if (file === undefined) return [name, member];
      const toFile = (item: unknown) =>
        item instanceof Blob ? item : new Blob([String(item)], { type: file.mediaType });
      return [name, Array.isArray(member) ? member.map(toFile) : toFile(member)];
    }),
  );
}
