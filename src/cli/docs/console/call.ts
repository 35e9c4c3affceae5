import type { Node } from "tenon/core/document";
import { findMediaType, toMediaKind } from "tenon/core/http";
import { parseExactJson } from "tenon/core/json";
import { type CurlField, quote, toCurl as toCurlLine, toFormOption } from "../../output/curl.js";
import {
  listShapes,
  LOCATIONS,
  type RequestParts,
  type RequestShape,
  type RequestValue,
  type WireRequest,
} from "../../verify/messages/index.js";
import type { Callable } from "./callable.js";
import type { Field } from "./fields.js";
import { formatJson, JsonMistake } from "./json-text.js";

/** The reader's input for one field. */
export interface GivenField {
  readonly field: Field;
  /** Empty for a file. */
  readonly text: string;
  readonly files: readonly File[];
}

/** A body: text as it goes out, a file, or the fields of a form. */
export type GivenBody = { readonly mediaType: string } & (
  { readonly text: string } | { readonly file: File } | { readonly fields: readonly GivenField[] }
);

export interface Given {
  /** Those that are to be sent. */
  readonly parameters: readonly GivenField[];
  readonly body: GivenBody | undefined;
}

/** A part of a request that its contract does not allow. */
export interface Mistake {
  /** `query/limit`, `form/photo`, `body`; undefined where it belongs to no field. */
  readonly key: string | undefined;
  readonly message: string;
  /** As `verify` names it: `maximum`. */
  readonly keyword: string;
}

/** The keyword of a number that JavaScript cannot keep: the contract may well allow it. */
export const INEXACT = "inexact number";

const MALFORMED = "malformed JSON";

/** A call in the forms that are sent and validated. */
export interface Call {
  readonly parts: RequestParts;
  /** The same value as the contract's schemas see it, under the schema of `shape`. */
  readonly validated: { readonly shape: RequestShape; readonly value: RequestValue };
  /** Mistakes that are found without a schema. */
  readonly mistakes: readonly Mistake[];
  /** The body, if no schema validates it; undefined without a body, and for one that is not JSON. */
  readonly unvalidated: string | undefined;
}

/** A value twice: digits that JavaScript would lose stay in the sent one. */
interface ReadValue {
  readonly sent: unknown;
  /** As the contract's schemas see it. */
  readonly value: unknown;
}

/** Turns the reader's input into a call. */
export function toCall(callable: Callable, { parameters, body }: Given): Call {
  const { operation, bodiless } = callable;
  const mistakes: Mistake[] = [];
  const read = (given: GivenField) => readField(given, mistakes);
  const pairs = parameters.map((given) => ({ ...given.field, ...read(given) }));
  const places = LOCATIONS.filter((place) => operation.parameters.some((one) => one.in === place));
  const group = (key: keyof ReadValue): RequestValue => {
    const pick = (place: string) =>
      pairs.filter((pair) => pair.place === place).map((pair) => [pair.name, pair[key]]);
    return Object.fromEntries(places.map((place) => [place, Object.fromEntries(pick(place)) as Node]));
  };
  mistakes.push(...listMissing(callable, { parameters, body }));
  const written = body && readBody(body, mistakes, read);
  const mediaType = body && findMediaType(operation.requestBody?.mediaTypes ?? [], body.mediaType);
  const shapes = listShapes(operation);
  const shape =
    body === undefined ? (shapes[0] ?? bodiless) : shapes.find((one) => one.mediaType === mediaType);
  const isValidated = body === undefined || (shape !== undefined && written?.value !== undefined);
  const isMalformed = mistakes.some(({ key, keyword }) => key === "body" && keyword === MALFORMED);
  return {
    parts: {
      operation,
      shape: {
        schema: bodiless.schema,
        ...(body && mediaType && { mediaType: { ...mediaType, name: body.mediaType } }),
      },
      value: { ...group("sent"), ...(written && "sent" in written && { body: written.sent }) },
      ...(body && written?.raw !== undefined && { raw: { contentType: body.mediaType, text: written.raw } }),
    },
    validated: {
      shape: (isValidated ? shape : undefined) ?? bodiless,
      value: { ...group("value"), ...(isValidated && written && { body: written.value }) },
    },
    mistakes,
    unvalidated: isValidated || isMalformed ? undefined : `a body of ${body.mediaType}`,
  };
}

function listMissing({ operation }: Callable, { parameters, body }: Given): readonly Mistake[] {
  const given = new Set(parameters.map(({ field }) => field.key));
  const missing = operation.parameters.flatMap(({ name, in: place, required }) => {
    const key = `${place}/${name}`;
    if (!required || given.has(key)) return [];
    return [{ key, message: `The ${place} parameter "${name}" is required`, keyword: `required ${name}` }];
  });
  const needsBody = operation.requestBody?.required === true && body === undefined;
  const noBody = { key: "body", message: "A body is required", keyword: "required body" };
  return needsBody ? [...missing, noBody] : missing;
}

function readField({ field, text, files }: GivenField, mistakes: Mistake[]): ReadValue {
  const names = files.map(({ name }) => name);
  if (field.kind === "file") return { sent: files[0], value: names[0] };
  if (field.kind === "files") return { sent: files, value: names };
  return readText(field, text, (message) => {
    mistakes.push({ key: field.key, message: `It ${message}`, keyword: MALFORMED });
  });
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function readText({ kind, types }: Field, text: string, onMalformed: (message: string) => void): ReadValue {
  const toBoth = (value: unknown): ReadValue => ({ sent: value, value });
  const trimmed = text.trim();
  const allows = (...some: readonly string[]) => types.some((type) => some.includes(type));
  if (kind === "choice") return toBoth(JSON.parse(text));
  if (kind === "json" || (/^[[{]/.test(trimmed) && allows("array", "object"))) {
    try {
      return toBoth(parseExactJson(text));
    } catch (error) {
      // Text that is not JSON is sent as it is.
      onMalformed((error as SyntaxError).message);
      return toBoth(text);
    }
  }
  if (NUMBER.test(trimmed) && allows("integer", "number")) return { sent: trimmed, value: Number(trimmed) };
  if (/^(?:true|false)$/.test(trimmed) && allows("boolean"))
    return { sent: trimmed, value: trimmed === "true" };
  return toBoth(text);
}

/** Reads a body that is built from `sent`, or sent as it stands, as `raw`. No schema can validate a `value` that is undefined. */
function readBody(body: GivenBody, mistakes: Mistake[], read: (given: GivenField) => ReadValue) {
  if ("file" in body) return { sent: body.file, value: undefined };
  if ("text" in body) {
    const isJson = toMediaKind(body.mediaType) === "json";
    return { raw: body.text, value: isJson ? readJson(body.text, mistakes) : body.text };
  }
  const pairs = body.fields.map((given) => [given.field.name, read(given)] as const);
  return {
    sent: Object.fromEntries(pairs.map(([name, { sent }]) => [name, sent])),
    value: Object.fromEntries(pairs.map(([name, { value }]) => [name, value])),
  };
}

function readJson(text: string, mistakes: Mistake[]): unknown {
  try {
    formatJson(text);
    return parseExactJson(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    mistakes.push(
      error instanceof JsonMistake
        ? { key: "body", message: `The body is not JSON. ${message}`, keyword: MALFORMED }
        : { key: "body", message: `The body ${message}; it is sent as it stands`, keyword: INEXACT },
    );
    return undefined;
  }
}

/**
 * Writes the line that sends the same request from a shell, with each credential as a variable. Files have their names on the
 * reader's computer: curl finds them in the current folder.
 */
export function toCurl(wire: WireRequest, base: string, body: GivenBody | undefined): string {
  if (body !== undefined && "file" in body)
    return toCurlLine(wire, base, [`--data-binary ${quote(`@${body.file.name}`)}`]);
  if (body === undefined || !("fields" in body) || toMediaKind(body.mediaType) !== "multipart")
    return toCurlLine(wire, base);
  // curl makes a boundary of its own.
  const headers = wire.headers.filter(({ name }) => name !== "Content-Type");
  const fields = body.fields.flatMap(({ field: { name, kind }, text, files }): readonly CurlField[] =>
    kind === "file" || kind === "files"
      ? files.map((file) => ({ name, file: file.name, mediaType: file.type }))
      : [{ name, text }],
  );
  return toCurlLine(
    { ...wire, headers },
    base,
    fields.map((field) => toFormOption(field, quote)),
  );
}
