import { describe, expect, test } from "@jest/globals";
import { buildContract } from "../../../src/tenon/core/model/build-contract.js";
import type { Node } from "../../../src/tenon/core/document/node.js";

const HINT = "Describe each item with `itemSchema`, before OpenAPI 3.2 with `x-itemSchema`";
const FORM = "application/x-www-form-urlencoded";

function build(place: "requestBody" | "response", content: Node) {
  const problems: unknown[] = [];
  const operation =
    place === "requestBody"
      ? { requestBody: { content }, responses: {} }
      : { responses: { "200": { description: "Fine.", content } } };
  const contract = buildContract(
    {
      openapi: "3.1.0",
      info: { title: "Test", version: "1.0.0" },
      paths: { "/a": { post: operation } },
      components: { schemas: { Text: { type: "string" } } },
    },
    { report: (code, pointer, message, hint) => problems.push({ code, pointer, message, hint }) },
  );
  const [{ requestBody, responses } = { requestBody: undefined, responses: [] }] = contract.operations;
  return { problems, mediaTypes: requestBody?.mediaTypes ?? responses[0]?.mediaTypes ?? [] };
}

describe("media types", () => {
  test.each<[string, "requestBody" | "response", Node, string, string]>([
    ["no media type", "response", { json: {} }, "/json", "it is not a media type"],
    ["a range of subtypes", "response", { "*/json": {} }, "/*~1json", "it is not a media type"],
    [
      "a name that would break out of code",
      "response",
      { "a/`${x}": {} },
      "/a~1`${x}",
      "it is not a media type",
    ],
    [
      "another charset",
      "requestBody",
      { "text/csv; charset=latin1": {} },
      "/text~1csv; charset=latin1",
      "its charset is not UTF-8",
    ],
    [
      "an event stream in a request",
      "requestBody",
      { "text/event-stream": { "x-itemSchema": {} } },
      "/text~1event-stream/x-itemSchema",
      "only responses are event streams",
    ],
    [
      "a stream of items that are not separated",
      "requestBody",
      { "application/json": { "x-itemSchema": {} } },
      "/application~1json/x-itemSchema",
      "it is not a sequential media type",
    ],
    [
      "an event that is a text",
      "response",
      { "text/event-stream": { "x-itemSchema": { type: "string" } } },
      "/text~1event-stream/x-itemSchema",
      "an event is an object with `data`",
    ],
    [
      "an event whose data cannot be a text",
      "response",
      {
        "text/event-stream": {
          "x-itemSchema": { anyOf: [{}, { properties: { data: { type: "object" } } }] },
        },
      },
      "/x-itemSchema/anyOf/1/properties/data",
      "the `data` of an event is a text",
    ],
  ])("%s is reported", (_, place, content, pointer, message) => {
    expect(build(place, content).problems).toMatchObject([
      {
        code: "media-type-unsupported",
        pointer: expect.stringContaining(pointer) as unknown,
        message: expect.stringMatching(new RegExp(`POST /a.*${message}$`)) as unknown,
      },
    ]);
  });

  const list = { type: "array", items: { type: "integer" } };
  test.each<[string, "requestBody" | "response", string, Node, string | undefined]>([
    [
      "beside itemSchema",
      "response",
      "application/jsonl",
      { itemSchema: {} },
      "Remove it: a stream is validated item by item",
    ],
    [
      "beside the itemSchema of parts",
      "requestBody",
      "multipart/mixed",
      { itemSchema: {} },
      "Remove it: a stream is validated item by item",
    ],
    ["of lines as a list", "requestBody", "application/x-ndjson", {}, HINT],
    ["of records as a list", "response", "application/json-seq", {}, HINT],
    ["of events as a list", "response", "text/event-stream", {}, HINT],
    ["of events in a request", "requestBody", "text/event-stream", {}, undefined],
  ])("a schema %s is reported, as it is not applied", (_, place, name, mediaType, hint) => {
    const [problem, ...others] = build(place, { [name]: { schema: list, ...mediaType } }).problems;
    expect(problem).toEqual({
      code: "schema-ignored",
      pointer: expect.stringMatching(/\/schema$/) as unknown,
      message: `\`schema\` is not applied to the content of "${name}"`,
      hint,
    });
    expect(others).toEqual([]);
  });

  test("a schema of a stream is not reported where it is the text, or for tools that do not know x-itemSchema", () => {
    const text = { type: "string", minLength: 1 };
    const content = { "application/jsonl": { schema: text }, "text/event-stream": { schema: text } };
    expect(build("response", content).problems).toEqual([]);
    const both = { "application/jsonl": { schema: list, "x-itemSchema": {} } };
    expect(build("response", both).problems).toEqual([]);
    expect(build("response", { "application/json": { schema: list } }).problems).toEqual([]);
  });

  test.each([
    ["application/json, charset=utf-8", 'Write "application/json; charset=utf-8"'],
    [
      "text/csv, text/tab-separated-values",
      'Write each as a separate key: "text/csv" and "text/tab-separated-values"',
    ],
    ["text/csv, json", 'Write a type and a subtype, such as "application/json"'],
    ["json", 'Write a type and a subtype, such as "application/json"'],
  ])("the hint for %s says what to write", (name, hint) => {
    expect(build("response", { [name]: {} }).problems).toMatchObject([
      { code: "media-type-unsupported", hint },
    ]);
  });

  test("events have the data and the name that their schema has beside its alternatives", () => {
    const json = { type: "string", contentMediaType: "application/json", contentSchema: { type: "integer" } };
    const end = { properties: { event: { const: "end" }, data: { const: "[DONE]" } } };
    const schema = { properties: { event: { const: "a" }, data: json }, oneOf: [{ required: ["id"] }, end] };
    const { mediaTypes } = build("response", { "text/event-stream": { "x-itemSchema": schema } });
    expect(mediaTypes[0]?.items?.events).toEqual([
      { event: "a", json: true },
      { event: "end", text: "[DONE]", json: false },
    ]);
  });

  test("a form in a response is bytes, whatever its schema", () => {
    expect(build("response", { [FORM]: { schema: { type: "string" } } }).problems).toEqual([]);
  });
});
