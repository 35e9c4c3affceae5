import { afterEach, describe, expect, test } from "@jest/globals";
import { type Given, type GivenBody, toCall } from "../../../../src/cli/docs/console/call.js";
import { type Callable, createCallables } from "../../../../src/cli/docs/console/callable.js";
import { listFormFields, toParameterField } from "../../../../src/cli/docs/console/fields.js";
import { createVerdicts, type Verdicts } from "../../../../src/cli/docs/console/verdict.js";
import { createSampleValues } from "../../../../src/cli/docs/samples/sample-values.js";

const made: Verdicts[] = [];

afterEach(() => {
  for (const verdicts of made.splice(0)) verdicts.close();
});

const CONTRACT = {
  openapi: "3.1.0",
  info: { title: "Things", version: "1" },
  paths: {
    "/things/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer", examples: [7] } }],
      put: {
        parameters: [
          { name: "sort", in: "query", required: true, schema: { $ref: "#/components/schemas/Sort" } },
          { name: "tags", in: "query", schema: { type: "array", items: { type: "string" }, maxItems: 1 } },
        ],
        requestBody: {
          required: true,
          content: {
            "application/json": { schema: { $ref: "#/components/schemas/Thing" } },
            "multipart/form-data": { schema: { $ref: "#/components/schemas/Thing" } },
            "application/xml": {},
          },
        },
        responses: {
          "200": {
            description: "The `thing`.",
            headers: { ETag: { required: true, schema: { type: "string" } } },
            content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
          },
          "4XX": { description: "Wrong." },
        },
      },
    },
  },
  components: {
    schemas: {
      Sort: { type: "string", enum: ["asc", "desc"] },
      Thing: {
        type: "object",
        required: ["size"],
        properties: {
          size: { type: "integer", maximum: 9, description: "How **large**." },
          name: { type: "string" },
        },
      },
    },
  },
};

function open(): Callable {
  const callable = createCallables(CONTRACT)("operation/putThingsId");
  if (callable === undefined) throw new Error("It cannot be opened");
  return callable;
}

function toSource({ contract: { registry } }: Callable) {
  const view = { registry, side: "request" } as const;
  return { view, samples: createSampleValues(view) };
}

/** What a reader gives who writes `texts` into fields. */
function give(callable: Callable, texts: Readonly<Record<string, string>>, body?: GivenBody): Given {
  const parameters = callable.operation.parameters.flatMap((parameter) => {
    const field = toParameterField(parameter, toSource(callable));
    const text = texts[field.name];
    return text === undefined ? [] : [{ field, text, files: [] }];
  });
  return { parameters, body };
}

const JSON_BODY = { mediaType: "application/json", text: '{"size": 1}' };

async function validate(texts: Readonly<Record<string, string>>, body?: GivenBody) {
  const callable = open();
  const verdicts = await createVerdicts(callable);
  made.push(verdicts);
  const call = toCall(callable, give(callable, texts, body));
  return { call, verdicts, verdict: verdicts.request(call) };
}

describe("the contract's verdict on a request", () => {
  test("an operation without a name has one, and its fields say what goes into them", () => {
    const callable = open();
    const source = toSource(callable);
    expect(
      callable.operation.parameters.map((parameter) => toParameterField(parameter, source)),
    ).toMatchObject([
      { key: "path/id", kind: "number", required: true, initial: "7", hint: "integer" },
      { key: "query/sort", kind: "choice", choices: ["asc", "desc"] },
      { key: "query/tags", kind: "json", hint: "array, at most 1 item" },
    ]);
    const content = callable.operation.requestBody?.mediaTypes[1];
    expect(content && listFormFields(content, source)).toMatchObject([
      { key: "form/size", kind: "number", hint: "integer, at most 9" },
      { key: "form/name", kind: "text", required: false },
    ]);
  });

  test("all is well with what the contract allows, and digits are sent as they were written", async () => {
    const { call, verdict } = await validate(
      { id: "9007199254740993", sort: '"asc"', tags: '["a"]' },
      JSON_BODY,
    );
    expect(verdict).toEqual({ mistakes: [], notes: [] });
    expect(call.parts.value).toMatchObject({ path: { id: "9007199254740993" }, query: { tags: ["a"] } });
  });

  test.each([
    [{ sort: '"asc"', id: "x" }, JSON_BODY, ["path/id type"]],
    [{ id: "1" }, JSON_BODY, ["query/sort required sort"]],
    [{ id: "1", sort: '"asc"', tags: '["a", "b"]' }, JSON_BODY, ["query/tags maxItems"]],
    [{ id: "1", sort: '"asc"', tags: "[" }, JSON_BODY, ["query/tags malformed JSON"]],
    [{ id: "1", sort: '"asc"' }, undefined, ["body required body"]],
    [{ id: "1", sort: '"asc"' }, { ...JSON_BODY, text: "{" }, ["body malformed JSON"]],
    [{ id: "1", sort: '"asc"' }, { ...JSON_BODY, text: "{}" }, ["body required"]],
    [
      { id: "1", sort: '"asc"' },
      { ...JSON_BODY, text: '{"size":10,"name":1}' },
      ["body maximum", "body type"],
    ],
    [{ id: "1", sort: '"asc"' }, { mediaType: "multipart/form-data", fields: [] }, ["body required"]],
  ])("%j with %j", async (texts, body, want) => {
    const { verdict } = await validate(texts, body);
    expect(verdict.mistakes.map(({ key, keyword }) => `${key ?? ""} ${keyword}`)).toEqual(want);
    expect(verdict.notes).toEqual([]);
  });

  test("a body without a schema is reported as not validated", async () => {
    const { verdict } = await validate(
      { id: "1", sort: '"asc"' },
      { mediaType: "application/xml", text: "<a/>" },
    );
    expect(verdict).toEqual({ mistakes: [], notes: ["a body of application/xml"] });
  });
});

describe("the contract's verdict on a response", () => {
  const received = {
    status: 200,
    headers: { "content-type": "application/json", etag: '"1"' },
    body: new TextEncoder().encode('{"size": 1}'),
    isOwnOrigin: true,
  };
  const validateResponse = async (changed: object, text = '{"size": 1}') => {
    const { call, verdict, verdicts } = await validate({ id: "1", sort: '"asc"' }, { ...JSON_BODY, text });
    return verdicts.response(call, verdict, { ...received, ...changed });
  };

  test("lists the parts that were validated", async () => {
    expect(await validateResponse({})).toEqual({
      violations: [],
      meaning: "The thing.",
      valid: ["the status", "the media type", "the body", "the headers"],
      notes: [],
    });
  });

  test.each([
    [{ status: 302 }, "Status 302 is not declared; the contract declares 200, 4XX"],
    [{ status: 500 }, "The service fails with 500"],
    [
      { headers: { ...received.headers, "content-type": "text/html" } },
      "The Content-Type of 200 is text/html; the contract declares application/json",
    ],
    [{ headers: { "content-type": "application/json" } }, "Header ETag of 200 is missing"],
    [{ body: new TextEncoder().encode("{") }, "The body of 200 is not JSON"],
    [
      { body: new TextEncoder().encode("{}") },
      'The body of 200 is not valid: The value is {}; it lacks "size"',
    ],
  ])("%j", async (changed, message) => {
    expect((await validateResponse(changed)).violations.map((violation) => violation.message)).toEqual([
      message,
    ]);
  });

  test("an invalid request that the service accepts is a violation", async () => {
    const { violations } = await validateResponse({}, '{"size": 10}');
    expect(violations).toEqual([
      { message: "An invalid request is accepted with 200: it violates maximum at body" },
    ]);
  });

  test("of another origin, a header that is not seen may be hidden", async () => {
    const changed = { headers: { "content-type": "application/json" }, isOwnOrigin: false };
    const { violations, notes } = await validateResponse(changed);
    expect(violations).toEqual([]);
    expect(notes).toEqual([
      "ETag: absent, or hidden from pages (Access-Control-Expose-Headers does not name it)",
    ]);
  });
});
