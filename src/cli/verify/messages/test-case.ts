import { getOwn } from "tenon/core/document";
import { isRange } from "tenon/core/http";
import { type MediaType, type Operation, type Parameter, toItemList, toRequestKind } from "tenon/core/model";
import type { ParameterLocation } from "tenon/core/parameters";
import type { Schema } from "tenon/core/schema";

export const LOCATIONS: readonly ParameterLocation[] = ["path", "query", "querystring", "header", "cookie"];

/** A request as one value, whose schema describes all its parts at once: which requests are valid. */
export interface RequestShape {
  /** Schema of `{ path: { petId }, query: {}, body }`. */
  readonly schema: Schema;
  /** Absent without a body. */
  readonly mediaType?: MediaType;
}

/** Parameters by location and name, and the body. What is not sent is absent. */
export type RequestValue = Readonly<Partial<Record<ParameterLocation, Readonly<Record<string, unknown>>>>> & {
  readonly body?: unknown;
};

const known = new WeakMap<Operation, readonly RequestShape[]>();

/** The requests that an operation takes: one shape for each media type that can be written, or one without a body. */
export function listShapes(operation: Operation): readonly RequestShape[] {
  const shapes = known.get(operation) ?? buildShapes(operation);
  known.set(operation, shapes);
  return shapes;
}

function buildShapes(operation: Operation): readonly RequestShape[] {
  const { mediaTypes = [], required = false } = operation.requestBody ?? {};
  const writable = mediaTypes.filter(canWrite);
  if (writable.length > 0) return writable.map((mediaType) => buildShape(operation, mediaType));
  return required ? [] : [buildShape(operation)];
}

/** @param mediaType Of the body. Default: no body. */
export function buildShape(operation: Operation, mediaType?: MediaType): RequestShape {
  const { pointer, parameters, requestBody } = operation;
  const groups = LOCATIONS.flatMap((location): [string, Schema][] => {
    const own = parameters.filter((parameter) => parameter.in === location);
    return own.length === 0 ? [] : [[location, toObject(own, pointer)]];
  });
  const body: [string, Schema][] = mediaType ? [["body", toBodySchema(mediaType)]] : [];
  const schema: Schema = {
    pointer,
    type: ["object"],
    properties: Object.fromEntries([...groups, ...body]),
    required: [...groups, ...(requestBody?.required ? body : [])].map(([name]) => name),
    additionalProperties: { pointer, never: true },
  };
  return { schema, ...(mediaType && { mediaType }) };
}

function toObject(parameters: readonly Parameter[], pointer: string): Schema {
  return {
    pointer,
    type: ["object"],
    properties: Object.fromEntries(
      parameters.map((parameter) => [parameter.name, withExamples(toParameterSchema(parameter), parameter)]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** `content` that is not JSON is sent as the text that it is. */
function toParameterSchema({ pointer, schema, mediaType, type, form }: Parameter): Schema {
  const isText = mediaType !== undefined && type === "string" && form === undefined;
  return isText ? { pointer, allOf: [{ pointer, type: ["string"] }, schema] } : schema;
}

/** A file's value is the text in it. Items are a list. */
function toBodySchema(mediaType: MediaType): Schema {
  const { pointer, items, schema = { pointer } } = mediaType;
  if (items) return toItemList(items);
  const files = listFiles(mediaType);
  if (files.size === 0) return withExamples(schema, mediaType);
  const text: Schema = { pointer, type: ["string"] };
  const { properties = {} } = schema;
  const texts = [...files].map(([name, { several }]): [string, Schema] => {
    const content = several ? { pointer, items: text } : text;
    const own = getOwn(properties, name);
    return [name, own === undefined ? content : { pointer, allOf: [own, content] }];
  });
  return withExamples({ ...schema, properties: { ...properties, ...Object.fromEntries(texts) } }, mediaType);
}

function withExamples(schema: Schema, { examples }: Pick<MediaType, "examples">): Schema {
  if (examples.length === 0) return schema;
  return { ...schema, examples: [...examples.map(({ value }) => value), ...(schema.examples ?? [])] };
}

/** Items, JSON and fields of forms are made from the schema, plain text from that of a string; of XML only an example can be sent. */
function canWrite(mediaType: MediaType): boolean {
  const { name, schema, examples, form } = mediaType;
  if (isRange(name)) return false;
  // A form without fields has a format of its author's own.
  if (typeof form === "string") return false;
  const kind = toRequestKind(mediaType);
  if (kind === "items") return true;
  if (kind === "json" || kind === "form" || kind === "multipart")
    return schema !== undefined || examples.length > 0;
  const isPlain = /^text\/plain\b/i.test(name) || kind === "binary";
  return isPlain || examples.some(({ value }) => typeof value === "string");
}

/** A field of a form that is a file. */
export interface FormFile {
  readonly several: boolean;
  readonly mediaType: string;
}

/** The fields of a form that are files, by name. */
export function listFiles({ form }: Pick<MediaType, "form">): ReadonlyMap<string, FormFile> {
  const fields = typeof form === "object" ? form.fields : [];
  return new Map(
    fields.flatMap(({ name, type, mediaTypes: [range = "application/octet-stream"] }) => {
      const mediaType = range.replace(/^image\/\*$/, "image/png").replace(/\*$/, "plain");
      return type === "file" || type === "files" ? [[name, { several: type === "files", mediaType }]] : [];
    }),
  );
}

/** The expected treatment of a request. */
export type Expectation =
  /** Everything in it is valid. */
  | "accepted"
  /** One thing in it is invalid. */
  | "refused"
  /** The contract does not say. */
  | "open";

export const PHASES = [
  "examples",
  "boundaries",
  "access",
  "valid",
  "invalid",
  "sequences",
  "callbacks",
] as const;

export type Phase = (typeof PHASES)[number];

/** Keys that lead to a part of a request's value: `["body", "tags", 0]`. */
export type Path = readonly (string | number)[];

/** A request before it is written. */
export interface RequestParts {
  readonly operation: Operation;
  readonly shape: RequestShape;
  readonly value: RequestValue;
  /** Sent in place of `value.body`. */
  readonly raw?: { readonly contentType: string; readonly text: string };
}

/** A request to send, and what to expect of the service. */
export interface TestCase extends RequestParts {
  readonly expectation: Expectation;
  readonly phase: Phase;
  /** The constraint that the request violates, or whose limit it has. */
  readonly constraint?: Constraint;
  /** The part whose value must stay: the service itself has sent it, or it is the address for callbacks. */
  readonly known?: Path;
}

export interface Constraint {
  readonly path: Path;
  /** `maximum`, `required name`, `malformed JSON` */
  readonly keyword: string;
}

/** `maximum at query/limit` */
export function describeConstraint({ path, keyword }: Constraint): string {
  return path.length === 0 ? keyword : `${keyword} at ${path.join("/")}`;
}

/** Name of a member that requests have although the contract does not declare it. */
export const UNDECLARED = "surelyNotDeclared";
