import { isRange, toMediaKind } from "tenon/core/http/media-type";
import type { SchemaBook } from "../values/book.js";
import type { Schema } from "../values/schema.js";
import {
  PLACES,
  type RequestShape,
  type TargetBody,
  type TargetContent,
  type TargetParameter,
} from "./target.js";

interface Parts {
  readonly parameters: readonly TargetParameter[];
  readonly body: TargetBody | undefined;
}

/** The requests of an operation, each as the schema of one value that has all its parts. */
export function buildShapes({ parameters, body }: Parts, book: SchemaBook): readonly RequestShape[] {
  const places = PLACES.flatMap((place): [string, Schema][] => {
    const own = parameters.filter((parameter) => parameter.in === place);
    return own.length === 0 ? [] : [[place, toObject(own)]];
  });
  const toShape = (content?: TargetContent): RequestShape => {
    const schema = content && toBodySchema(content, book);
    const properties = Object.fromEntries([...places, ...(schema ? [["body", schema] as const] : [])]);
    const required = [...places.map(([place]) => place), ...(schema && body?.required ? ["body"] : [])];
    const key = book.put({ type: ["object"], properties, required, additionalProperties: false });
    return { schema: key, ...(content && { mediaType: content.mediaType }) };
  };
  const writable = (body?.content ?? []).filter(canWrite);
  if (writable.length > 0) return writable.map(toShape);
  return body?.required === true ? [] : [toShape()];
}

function toObject(parameters: readonly TargetParameter[]): Schema {
  return {
    type: ["object"],
    properties: Object.fromEntries(
      parameters.map(({ name, schema, examples }) => [
        name,
        withExamples({ $ref: toReference(schema) }, examples),
      ]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** A file's value is the text that is in it. */
function toBodySchema({ schema, examples, files }: TargetContent, book: SchemaBook): Schema {
  const body = { $ref: toReference(schema ?? book.put(true)) };
  if (files === undefined) return withExamples(body, examples);
  const text = { type: ["string"] } as const;
  const properties = Object.fromEntries(
    Object.entries(files).map(([name, { several }]) => [name, several ? { items: text } : text]),
  );
  return withExamples({ ...body, properties }, examples);
}

function toReference(key: string): string {
  return `#/$defs/${key}`;
}

function withExamples(schema: Schema, examples: readonly unknown[]): Schema {
  return typeof schema === "boolean" || examples.length === 0 ? schema : { ...schema, examples };
}

/** A form's fields and JSON are made from the schema, plain text from that of a string; of XML only an example can be sent. */
function canWrite({ mediaType, schema, examples, files }: TargetContent): boolean {
  if (isRange(mediaType)) return false;
  const kind = toMediaKind(mediaType);
  // A form without fields is something of its author's own.
  if ((kind === "form" || kind === "multipart") && files === undefined) return false;
  if (kind === "json" || kind === "form" || kind === "multipart")
    return schema !== undefined || examples.length > 0;
  const isPlain = /^text\/plain\b/i.test(mediaType) || kind === "binary";
  return isPlain || examples.some((example) => typeof example === "string");
}
