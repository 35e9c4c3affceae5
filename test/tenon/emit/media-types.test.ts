import { emitReplyContent, emitRequestBody } from "../../../src/tenon/emit/media-type-types.js";
import { toFields } from "../../../src/tenon/emit/form-fields.js";
import { createNames } from "../../../src/tenon/emit/names.js";
import { findViews } from "../../../src/tenon/emit/views.js";
import type {
  FieldEncoding,
  MediaType,
  NamedSchema,
  RequestBody,
  Schema,
} from "../../../src/tenon/contract/model.js";
import { testEmit } from "./given-want.js";

const PET: NamedSchema = {
  name: "pet",
  typeName: "Pet",
  schema: { properties: [{ name: "id", required: true, schema: { types: ["integer"] } }] },
};
const SCHEMAS = new Map([[PET.name, PET]]);
const VIEWS = findViews(SCHEMAS, []);
const CONTEXT = { schemas: SCHEMAS, views: VIEWS, names: createNames([PET], [], VIEWS) };

const mediaType = (
  name: string,
  schema: Schema = { reference: "pet" },
  encoding = new Map<string, FieldEncoding>(),
): MediaType => ({ name, schema, methodName: "x", encoding });
const required = (...mediaTypes: MediaType[]): RequestBody => ({ required: true, mediaTypes });

const UPLOAD: Schema = {
  allOf: [{ reference: "pet" }],
  properties: [
    { name: "photo", required: true, schema: { binary: true, types: ["string"] } },
    { name: "more", required: false, schema: { types: ["array"], items: {} } },
    { name: "pet", required: false, schema: { reference: "pet" } },
  ],
};

testEmit<RequestBody | undefined>("emitRequestBody", (body) => emitRequestBody(body, CONTEXT), [
  ["none", undefined, "undefined"],
  ["one", required(mediaType("application/json")), "Pet"],
  ["one with a suffix", required(mediaType("application/x+json; v=1")), "Pet"],
  ["an optional one", { required: false, mediaTypes: [mediaType("application/json")] }, "Pet | undefined"],
  ["a form", required(mediaType("application/x-www-form-urlencoded")), "Pet"],
  ["text", required(mediaType("text/html")), "string"],
  ["XML", required(mediaType("application/atom+xml")), "string"],
  ["bytes", required(mediaType("application/pdf")), "Uint8Array"],
  ["a form without files", required(mediaType("multipart/form-data")), "Pet"],
  [
    "a form with files",
    required(mediaType("multipart/form-data", UPLOAD)),
    "{\n    readonly id: number;\n    readonly photo: FormFile;\n    readonly more?: readonly FormFile[];\n    readonly pet?: Pet;\n  }",
  ],
  [
    "a range",
    required(mediaType("image/*")),
    '\n    | { readonly mediaType: "image/*"; readonly contentType: string; readonly value: Uint8Array }',
  ],
  [
    "several",
    { required: false, mediaTypes: [mediaType("application/json"), mediaType("text/csv")] },
    '\n    | { readonly mediaType: "application/json"; readonly value: Pet }' +
      '\n    | { readonly mediaType: "text/csv"; readonly value: string }' +
      "\n    | undefined",
  ],
]);

testEmit<string>("emitReplyContent", (name) => emitReplyContent(mediaType(name), CONTEXT, "").join(", "), [
  ["JSON", "application/json", "body: Pet"],
  ["text", "text/csv", "body: string"],
  ["bytes", "image/png", "body: Uint8Array | Readable"],
  ["a form, which is bytes", "multipart/form-data", "body: Uint8Array | Readable"],
  ["a range of text", "text/*", "mediaType: `text/${string}`, body: string"],
  ["anything", "*/*", "mediaType: `${string}/${string}`, body: Uint8Array | Readable"],
]);

const fieldType = (name: string, schema: Schema, encoding: FieldEncoding = { mediaTypes: [] }): string => {
  const form: Schema = { properties: [{ name: "a", required: false, schema }] };
  return toFields(mediaType(name, form, new Map([["a", encoding]])), SCHEMAS)
    .map(({ type, array }) => `${type}${array ? "[]" : ""}`)
    .join();
};

testEmit<Schema>("fields of a multipart form", (schema) => fieldType("multipart/form-data", schema), [
  ["a string", { types: ["string"] }, "string"],
  ["an integer that may be null", { types: ["integer"], nullable: true }, "integer"],
  ["an enum", { enum: ["a"] }, "string"],
  ["bytes", { types: ["string"], binary: true }, "file"],
  ["anything", {}, "file"],
  ["anything with a description", { description: "x" }, "file"],
  ["several files", { types: ["array"], items: { binary: true, types: ["string"] } }, "file[]"],
  ["numbers", { types: ["array"], items: { types: ["number"] } }, "number[]"],
  ["an object", { reference: "pet" }, "json"],
  ["an object in an allOf", { allOf: [{ reference: "pet" }] }, "json"],
  ["arrays of arrays", { types: ["array"], items: { types: ["array"] } }, "json[]"],
  ["a union", { types: ["string", "integer"] }, "string"],
]);

testEmit<Schema>("fields of a form", (schema) => fieldType("application/x-www-form-urlencoded", schema), [
  ["bytes, which a form has none of", { types: ["string"], binary: true }, "string"],
  ["anything", {}, "string"],
]);

testEmit<FieldEncoding>(
  "fields that are stated to be JSON",
  (encoding) => fieldType("multipart/form-data", { types: ["string"] }, encoding),
  [
    ["JSON", { mediaTypes: ["application/json"] }, "json"],
    ["JSON or text", { mediaTypes: ["application/json", "text/plain"] }, "string"],
  ],
);
