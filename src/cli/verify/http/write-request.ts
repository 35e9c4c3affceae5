import { writeParameters } from "tenon/client/parameters";
import { writeBody } from "tenon/client/request-body";
import { toMediaKind } from "tenon/core/http/media-type";
import type { Draft } from "../draft.js";
import { isObject } from "../../values/schema.js";
import { type TargetContent, type TargetOperation, toParameterKey } from "../target.js";
import type { SentCredentials, SentPair } from "./credentials.js";

/** A request as it goes out. */
export interface WireRequest {
  readonly method: string;
  /** Below the base address, with its query. */
  readonly path: string;
  /** The same as a report shows it, without credentials. */
  readonly shownPath: string;
  readonly headers: readonly SentPair[];
  readonly body?: Uint8Array<ArrayBuffer>;
}

/** What of a {@link Draft} makes the request. */
export type Writable = Pick<Draft, "operation" | "shape" | "value" | "raw">;

/** @returns undefined when a value cannot be said: a comma in an item of a list that commas separate. */
export async function tryWriteRequest(
  draft: Writable,
  credentials: SentCredentials,
): Promise<WireRequest | undefined> {
  try {
    return await writeRequest(draft, credentials);
  } catch (error) {
    // Half of a surrogate pair cannot be escaped.
    if (error instanceof TypeError || error instanceof URIError) return undefined;
    throw error;
  }
}

/**
 * Writes a request as its parameters' styles and its media type say.
 * @throws {TypeError} for a value that cannot be said, and says why.
 * @throws {URIError} for half of a surrogate pair.
 */
export async function writeRequest(draft: Writable, credentials: SentCredentials): Promise<WireRequest> {
  const { operation } = draft;
  const written = writeParameters(toUrlPath(operation.path), draft.value, {
    parameters: toStyles(operation),
  });
  const body = await toBody(draft);
  const query = (pairs: readonly SentPair[], key: "value" | "shown") =>
    [
      ...written.query.map(([name, text]) => `${name}=${text}`),
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
      ...toCookies(written.cookies, credentials.cookies),
      ...credentials.headers,
      ...(body?.contentType === undefined
        ? []
        : [{ name: "Content-Type", value: body.contentType, shown: body.contentType }]),
    ],
    ...(body && { body: body.bytes }),
  };
}

/** A template may have characters that no URL has; names of parameters stay. */
export function toUrlPath(template: string): string {
  return template.replaceAll(/\{[^{}]*\}|[^!-~]+|[?#"<>\\^`|]/g, (part) =>
    part.startsWith("{") ? part : encodeURIComponent(part),
  );
}

/** How each parameter is written, by its place and name. */
export function toStyles({ parameters }: Pick<TargetOperation, "parameters">) {
  return Object.fromEntries(
    parameters.map((parameter) => {
      const { style, explode } = parameter;
      return [toParameterKey(parameter), { style, explode }];
    }),
  );
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

interface Body {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string | undefined;
}

async function toBody({ operation, shape, value, raw }: Writable): Promise<Body | undefined> {
  if (raw !== undefined) return { bytes: new TextEncoder().encode(raw.text), contentType: raw.contentType };
  const { mediaType } = shape;
  if (mediaType === undefined || value.body === undefined) return undefined;
  const content = operation.body?.content.find((one) => one.mediaType === mediaType);
  const kind = toMediaKind(mediaType);
  const given = kind === "multipart" ? toFileParts(value.body, content?.files ?? {}) : value.body;
  const isPlain = kind === "text" || kind === "binary";
  const sent =
    isPlain && typeof given !== "string" && !(given instanceof Blob) ? JSON.stringify(given) : given;
  const fields = (content?.fields ?? {}) as NonNullable<Parameters<typeof writeBody>[2]["fields"]>;
  const { body, contentType } = writeBody(sent, mediaType, { mediaTypes: [mediaType], fields });
  if (body === undefined) return undefined;
  // Of a multipart form only this knows the boundary.
  const response = new Response(body);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { bytes, contentType: contentType ?? response.headers.get("content-type") ?? mediaType };
}

/** What the contract says is a file goes as one, whatever its value is. */
function toFileParts(body: unknown, files: NonNullable<TargetContent["files"]>): unknown {
  if (!isObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, member]) => {
      const file = Object.hasOwn(files, name) ? files[name] : undefined;
      if (file === undefined) return [name, member];
      const toFile = (item: unknown) =>
        item instanceof Blob ? item : new Blob([String(item)], { type: file.mediaType });
      return [name, Array.isArray(member) ? member.map(toFile) : toFile(member)];
    }),
  );
}
