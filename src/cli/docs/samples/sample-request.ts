import {
  type Field,
  formatEnd,
  formatPart,
  toFields,
  toFieldStyles,
  toStyles,
  toUrlPath,
  writeBody,
  writeContent,
  writeParameters,
  type WrittenParameters,
} from "tenon/client/internal";
import { isNode } from "tenon/core/document";
import { findItemFormat, toMediaKind } from "tenon/core/http";
import {
  type Example,
  type MediaType,
  type Operation,
  type Parameter,
  type Parts,
  toItemList,
} from "tenon/core/model";
import type { CredentialPlace } from "tenon/client";
import { type FormFile, listFiles, listShapes, LOCATIONS } from "../../verify/messages/index.js";
import {
  chooseCredentials,
  type SampleCredential,
  type SampleText,
  writeSecrets,
} from "./sample-credentials.js";
import type { SampleValues } from "./sample-values.js";

/** A call of an operation, which every sample makes. */
export interface SampleRequest {
  readonly operation: Operation;
  /** The author's example that is its body. */
  readonly example?: Example;
  /** Values by place and name, before they are written. */
  readonly values: Readonly<Partial<Record<Parameter["in"], Readonly<Record<string, unknown>>>>>;
  /** As they go out. */
  readonly written: WrittenParameters;
  readonly body?: SampleBody;
  readonly credentials: readonly SampleCredential[];
}

export interface SampleBody {
  readonly mediaType: string;
  /** As the generated client takes it; the files of a form are texts. */
  readonly value: unknown;
  /** As it goes out: a text, or the parts of a multipart form. */
  readonly sent: string | readonly SamplePart[];
}

/** A field of a form. */
export interface SamplePart {
  readonly name: string;
  readonly text: string;
  /** Media type of a file. */
  readonly mediaType?: string;
}

export interface RequestSource {
  readonly values: SampleValues;
  readonly schemes: Readonly<Record<string, CredentialPlace>>;
}

/**
 * Builds the calls of an operation's samples, one for each of the author's examples of the body: required values, from the author's
 * examples or else generated, and a few examples of optional ones.
 * @returns None when no value, or no body of its media type, can be generated.
 */
export function buildRequests(operation: Operation, source: RequestSource): readonly SampleRequest[] {
  if (listShapes(operation).length === 0) return [];
  const { path, security } = operation;
  const content = chooseMediaType(operation);
  const call = attempt(() => {
    const values = toValues(operation, source);
    const written = writeParameters(toUrlPath(path), values, { parameters: toStyles(operation) });
    return { operation, values, written, credentials: chooseCredentials(security, source.schemes) };
  });
  if (call === undefined) return [];
  if (content === undefined) return [call];
  const given = content.items === undefined ? content.examples.slice(0, MAX_EXAMPLES) : [];
  const examples = given.length > 0 ? given : [undefined];
  return examples.flatMap((example): SampleRequest | readonly [] => {
    const body = attempt(() => toBody(content, source, example));
    return body === undefined ? [] : { ...call, body, ...(example && { example }) };
  });
}

/** A longer list of examples is cut. */
export const MAX_EXAMPLES = 8;

/** Returns undefined where no value can be made, its style cannot express it, or it has half of a surrogate pair. */
function attempt<Made>(make: () => Made): Made | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof TypeError || error instanceof URIError) return undefined;
    throw error;
  }
}

/** How many parameters that are not required a sample has. */
const OPTIONAL_PARAMETERS = 2;

function toValues({ parameters }: Operation, { values }: RequestSource): SampleRequest["values"] {
  // Headers and cookies are for experts, and an example that is the default says nothing.
  const isHelpful = (parameter: Parameter) =>
    parameter.in === "query" &&
    parameter.lifecycle === undefined &&
    parameter.examples.length > 0 &&
    JSON.stringify(parameter.examples[0]?.value) !== JSON.stringify(values.defaultOf(parameter.schema));
  const optional = parameters.filter((parameter) => !parameter.required && isHelpful(parameter));
  const chosen = new Set(optional.slice(0, OPTIONAL_PARAMETERS));

  const sent = parameters.filter((parameter) => parameter.required || chosen.has(parameter));
  return Object.fromEntries(
    LOCATIONS.flatMap((location) => {
      const own = sent.filter((parameter) => parameter.in === location);
      const pairs = own.map(({ name, schema, examples: [example] }) => {
        const made = () => (location === "path" ? values.makeNamed(schema, name) : values.make(schema, name));
        const value = example ? example.value : made();
        if (value === undefined) throw new TypeError(`No value can be made for "${name}"`);
        return [name, value] as const;
      });
      return own.length === 0 ? [] : [[location, Object.fromEntries(pairs)]];
    }),
  );
}

/** Chooses JSON where it is declared, as in the client; otherwise the first media type that can be written. */
function chooseMediaType(operation: Operation): MediaType | undefined {
  const writable = listShapes(operation).flatMap(({ mediaType }) => mediaType ?? []);
  return writable.find(({ name }) => name === "application/json") ?? writable[0];
}

function toBody(content: MediaType, { values }: RequestSource, example: Example | undefined): SampleBody {
  const { name: mediaType, schema, items } = content;
  if (items?.parts) return toPartsBody(mediaType, values.make(toItemList(items), ""), items.parts);
  if (items) return toItems(mediaType, values.make(items.schema, ""));
  const kind = toMediaKind(mediaType);
  const made = example ? example.value : schema === undefined ? "text" : values.make(schema, "");
  const isPlain = kind === "text" || kind === "binary";
  const value = isPlain && typeof made !== "string" ? JSON.stringify(made) : made;
  if (kind === "multipart" && isNode(value)) {
    const form = example ? value : withTexts(value, listFiles(content));
    return { mediaType, value: form, sent: Object.entries(form).flatMap((entry) => toParts(entry, content)) };
  }
  const { body } = writeBody(value, mediaType, {
    mediaTypes: [mediaType],
    fields: toFieldStyles(content),
    writeContent,
  });
  if (typeof body !== "string") throw new TypeError(`No value can be made for ${mediaType}`);
  return { mediaType, value, sent: body };
}

/** Bytes are texts. */
function toPartsBody(mediaType: string, value: unknown, { positions }: Parts): SampleBody {
  const boundary = "part";
  const parts: readonly unknown[] = Array.isArray(value) ? value : [];
  const pieces = parts.flatMap((part, index) => formatPart(part, index, positions, boundary));
  return {
    mediaType: `${mediaType}; boundary=${boundary}`,
    value: parts,
    sent: `${pieces.map(String).join("")}${formatEnd(parts.length, boundary)}`,
  };
}

/** One item stands for all. */
function toItems(mediaType: string, item: unknown): SampleBody {
  const start = findItemFormat(mediaType) === "records" ? "\u001E" : "";
  return { mediaType, value: [item], sent: `${start}${JSON.stringify(item)}\n` };
}

/** Replaces the values of files, which may be anything. */
function withTexts(form: Readonly<Record<string, unknown>>, files: ReadonlyMap<string, FormFile>) {
  const members = Object.entries(form).map(([name, member]) => {
    const file = files.get(name);
    if (file === undefined) return [name, member] as const;
    return [name, file.several ? [FILE_TEXT] : FILE_TEXT] as const;
  });
  return Object.fromEntries(members);
}

const FILE_TEXT = "contents";

/** Sends a declared file as one, whatever its value is. */
function toParts([name, value]: readonly [string, unknown], content: MediaType): readonly SamplePart[] {
  const file = listFiles(content).get(name);
  if (file === undefined) return toFields({ [name]: value }, toFieldStyles(content)).map(decode);
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.map((text) => ({ name, text: toFileText(text), mediaType: file.mediaType }));
}

/** Writes the address of a call. */
export function toUrl({ written: { path, query }, credentials }: SampleRequest, address: string): SampleText {
  const own = `${address}${path}${query.length === 0 ? "" : "?"}${query.map((pair) => pair.join("=")).join("&")}`;
  return [own, ...writeSecrets(credentials, "query", query)];
}

/** Writes the cookies of a call; nothing without any. */
export function toCookies({ written: { cookies }, credentials }: SampleRequest): SampleText {
  const own = cookies.map((pair) => pair.join("=")).join("; ");
  return [own, ...writeSecrets(credentials, "cookie", cookies)].filter((text) => text !== "");
}

/** Lists the headers of a call besides the media type of a form with parts and the credentials of Basic authentication. */
export function listHeaders(request: SampleRequest): readonly (readonly [name: string, SampleText])[] {
  const { written, body, credentials } = request;
  const cookies = toCookies(request);
  return [
    ...credentials.flatMap((one) =>
      one.kind === "secret" && one.in === "header"
        ? [[one.name, [one.start, { variable: one.variables[0] }].filter((text) => text !== "")] as const]
        : [],
    ),
    ...written.headers.map(([name, value]) => [name, [value]] as const),
    ...(cookies.length === 0 ? [] : [["Cookie", cookies] as const]),
    ...(typeof body?.sent === "string" ? [["Content-Type", [body.mediaType]] as const] : []),
  ];
}

/** An example may be anything. */
export function toFileText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Decodes a field that is not a file: it is text. */
function decode([name, text]: Field): SamplePart {
  return { name: decodeURIComponent(name), text: typeof text === "string" ? decodeURIComponent(text) : "" };
}
