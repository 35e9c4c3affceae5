import { emitReplyContent, emitRequestBody } from "../../../src/cli/generate/server/media-type-types.js";
import { getOperation, toOperationContract, toTypeContext } from "./contract.js";
import { testEmit } from "./given-want.js";

const SCHEMAS = { pet: { required: ["id"], properties: { id: { type: "integer" } } } };
const PET = { $ref: "#/components/schemas/pet" };
const FILE = { type: "string", format: "binary" };
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";

const UPLOAD = {
  required: ["id", "photo", "made"],
  properties: {
    id: { type: "integer" },
    photo: FILE,
    more: { type: "array", items: FILE },
    pet: PET,
    made: { type: "string", readOnly: true },
  },
};

const content = (name: string, schema: object = PET) => ({ [name]: { schema } });
const required = (declared: object) => ({ required: true, content: declared });

/** @param requestBody As the contract declares it. */
function emitBody(requestBody: object | undefined): string {
  const contract = toOperationContract(requestBody ? { requestBody } : {}, SCHEMAS, "3.0.3");
  return emitRequestBody(getOperation(contract).requestBody, toTypeContext(contract));
}

testEmit<object | undefined>("emitRequestBody", emitBody, [
  ["none", undefined, "undefined"],
  ["one", required(content("application/json")), "Pet"],
  ["one with a suffix", required(content("application/x+json; v=1")), "Pet"],
  ["an optional one", { content: content("application/json") }, "Pet | undefined"],
  ["a form", required(content(FORM)), "Pet"],
  ["text", required(content("text/html")), "string"],
  ["XML", required(content("application/atom+xml")), "string"],
  ["bytes", required(content("application/pdf")), "Readable"],
  ["a form without files", required(content(MULTIPART)), "Pet"],
  [
    "a form with files",
    required(content(MULTIPART, UPLOAD)),
    "{\n    readonly id: number;\n    readonly photo: FormFile;\n    readonly more?: readonly FormFile[];\n    readonly pet?: Pet;\n  }",
  ],
  [
    "a form of nothing but files",
    required(content(MULTIPART, { additionalProperties: FILE })),
    "{\n    readonly [key: string]: FormFile;\n  }",
  ],
  ["a form that is text", required(content(FORM, { type: "string" })), "string"],
  ["a form that is bytes", required(content(FORM, { type: "array", items: {} })), "Readable"],
  [
    "a range",
    required(content("image/*")),
    '\n    | { readonly mediaType: "image/*"; readonly contentType: string; readonly value: Readable }',
  ],
  [
    "several",
    { content: { ...content("application/json"), ...content("text/csv") } },
    '\n    | { readonly mediaType: "application/json"; readonly value: Pet }' +
      '\n    | { readonly mediaType: "text/csv"; readonly value: string }' +
      "\n    | undefined",
  ],
]);

function emitReply(name: string): string {
  const responses = { "200": { description: "", content: content(name) } };
  const contract = toOperationContract({ responses }, SCHEMAS);
  const [mediaType] = getOperation(contract).responses[0]?.mediaTypes ?? [];
  if (mediaType === undefined) throw new Error("There is no media type");
  return emitReplyContent(mediaType, toTypeContext(contract), "").join(", ");
}

testEmit<string>("emitReplyContent", emitReply, [
  ["JSON", "application/json", "body: Pet"],
  ["text", "text/csv", "body: string"],
  ["bytes", "image/png", "body: Uint8Array | Readable | ByteSource"],
  ["a form, which is bytes", "multipart/form-data", "body: Uint8Array | Readable | ByteSource"],
  ["a range of text", "text/*", "mediaType: `text/${string}`, body: string"],
  ["anything", "*/*", "mediaType: `${string}/${string}`, body: Uint8Array | Readable | ByteSource"],
]);
