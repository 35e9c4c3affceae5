import { emitReplyContent, emitRequestBody } from "../../../src/cli/generate/media-type-types.js";
import { createNames } from "../../../src/cli/generate/names.js";
import { findViews } from "../../../src/cli/generate/views.js";
import type {
  Form,
  FormField,
  MediaType,
  NamedSchema,
  RequestBody,
  Schema,
} from "../../../src/tenon/core/legacy/model.js";
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
  form?: Form | "text" | "binary",
): MediaType => ({ name, schema, methodName: "x", ...(form !== undefined && { form }) });
const required = (...mediaTypes: MediaType[]): RequestBody => ({ required: true, mediaTypes });
const field = (name: string, type: FormField["type"], schema: Schema, isRequired = false): FormField => ({
  property: { name, required: isRequired, schema },
  type,
  style: "form",
  explode: true,
  mediaTypes: [],
});

const UPLOAD: Form = {
  fields: [
    field("id", "integer", { types: ["integer"] }, true),
    field("photo", "file", { binary: true, types: ["string"] }, true),
    field("more", "files", { types: ["array"], items: {} }),
    field("pet", "json", { reference: "pet" }),
    field("made", "string", { types: ["string"], readOnly: true }, true),
  ],
};
const FORM = "application/x-www-form-urlencoded";

testEmit<RequestBody | undefined>("emitRequestBody", (body) => emitRequestBody(body, CONTEXT), [
  ["none", undefined, "undefined"],
  ["one", required(mediaType("application/json")), "Pet"],
  ["one with a suffix", required(mediaType("application/x+json; v=1")), "Pet"],
  ["an optional one", { required: false, mediaTypes: [mediaType("application/json")] }, "Pet | undefined"],
  ["a form", required(mediaType(FORM)), "Pet"],
  ["text", required(mediaType("text/html")), "string"],
  ["XML", required(mediaType("application/atom+xml")), "string"],
  ["bytes", required(mediaType("application/pdf")), "Uint8Array"],
  ["a form without files", required(mediaType("multipart/form-data")), "Pet"],
  [
    "a form with files",
    required(mediaType("multipart/form-data", {}, UPLOAD)),
    "{\n    readonly id: number;\n    readonly photo: FormFile;\n    readonly more?: readonly FormFile[];\n    readonly pet?: Pet;\n  }",
  ],
  [
    "a form of nothing but files",
    required(mediaType("multipart/form-data", {}, { fields: [], others: { type: "file" } })),
    "{\n    readonly [key: string]: FormFile;\n  }",
  ],
  ["a form that is text", required(mediaType(FORM, { types: ["string"] }, "text")), "string"],
  ["a form that is bytes", required(mediaType(FORM, { types: ["array"] }, "binary")), "Uint8Array"],
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
