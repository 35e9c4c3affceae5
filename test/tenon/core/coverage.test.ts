import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { ContractCoverage, type CoverageItem } from "../../../src/tenon/core/coverage/index.js";
import { buildContract, type Contract, type Operation } from "../../../src/tenon/core/model/index.js";
import type { WrittenItems } from "../../../src/tenon/runtime/response/items.js";
import { Reply } from "../../../src/tenon/runtime/response/reply.js";
import { CoverageRecorder } from "../../../src/tenon/runtime/routing/coverage-recorder.js";

interface Built {
  readonly contract: Contract;
  readonly coverage: ContractCoverage;
  readonly operation: Operation;
}

/** A contract with one operation, `POST /a`. */
function build(operation: object, { components = {}, openapi = "3.1.0" } = {}): Built {
  const contract = buildContract({
    openapi,
    info: { title: "Test", version: "1.0.0" },
    paths: { "/a": { post: { operationId: "send", responses: {}, ...operation } } },
    components,
  });
  const [built] = contract.operations;
  if (built === undefined) throw new Error("no operation was built");
  return { contract, coverage: new ContractCoverage(contract), operation: built };
}

const toBody = (schema: object) => ({ requestBody: { content: { "application/json": { schema } } } });

const toTitles = (items: readonly CoverageItem[]) => items.map(({ kind, title }) => `${kind}: ${title}`);

/** The items of a schema that a request's body covers, and those that it does not. */
function cover(schema: object, body: unknown, options?: Parameters<typeof build>[1]) {
  const { coverage, operation } = build(toBody(schema), options);
  const covered: CoverageItem[] = [];
  const request = { parameters: {}, mediaType: "application/json", body };
  coverage.findInRequest(operation, request, (item) => covered.push(item));
  const ids = new Set(covered.map(({ id }) => id));
  const values = coverage.list().filter(({ kind }) => kind === "request value");
  return {
    covered: values.filter(({ id }) => ids.has(id)).map(({ title }) => title),
    missing: values.filter(({ id }) => !ids.has(id)).map(({ title }) => title),
  };
}

describe("items of an operation", () => {
  const components = {
    parameters: { Limit: { name: "limit", in: "query", schema: { type: "integer" } } },
    responses: { Bad: { description: "Bad.", headers: { "X-Reason": { schema: { type: "string" } } } } },
  };
  const built = build(
    {
      parameters: [{ $ref: "#/components/parameters/Limit" }],
      ...toBody({ type: "string" }),
      responses: {
        "200": { description: "Fine.", content: { "application/json": {}, "text/csv": {} } },
        "4XX": { $ref: "#/components/responses/Bad" },
      },
    },
    { components },
  );

  test("are its parameters, media types, statuses and headers, where it lists them", () => {
    expect(built.coverage.list().map(({ title, pointer }) => `${title} ${pointer}`)).toEqual([
      "send: query limit #/paths/~1a/post/parameters/0",
      "send: application/json #/paths/~1a/post/requestBody/content/application~1json",
      "send: 200 #/paths/~1a/post/responses/200",
      "send: 200 application/json #/paths/~1a/post/responses/200/content/application~1json",
      "send: 200 text/csv #/paths/~1a/post/responses/200/content/text~1csv",
      "send: 4XX #/paths/~1a/post/responses/4XX",
      "send: 4XX X-Reason #/components/responses/Bad/headers/X-Reason",
    ]);
  });

  test.each([
    [
      { key: "200", mediaType: "text/csv", headers: [] },
      ["response: send: 200", "response media type: send: 200 text/csv"],
    ],
    [
      { key: "4XX", mediaType: undefined, headers: ["x-reason"] },
      ["response: send: 4XX", "response header: send: 4XX X-Reason"],
    ],
    [{ key: "500", mediaType: undefined, headers: [] }, []],
  ])("a response %j covers %j", (response, want) => {
    const found: CoverageItem[] = [];
    built.coverage.findInResponse(built.operation, response, (item) => found.push(item));
    expect(toTitles(found)).toEqual(want);
  });
});

describe("items of a schema", () => {
  const components = {
    schemas: {
      Kind: { enum: ["plain", "loud"] },
      Cat: {
        type: "object",
        required: ["type"],
        properties: { type: { const: "cat" }, purrs: { type: "boolean" } },
      },
      Dog: {
        type: "object",
        required: ["type"],
        properties: { type: { const: "dog" }, barks: { type: "boolean" } },
      },
      Id: { type: "integer", readOnly: true },
    },
  };

  test.each<[string, object, unknown, readonly string[], readonly string[]]>([
    ["values of an enum", { $ref: "#/components/schemas/Kind" }, "loud", ['"loud"'], ['"plain"']],
    ["types", { type: ["string", "null"] }, null, ["null"], ["type string"]],
    ["a single type", { type: "string" }, "a", [], []],
    ["an integer as a number", { type: ["number", "string"] }, 1, ["type number"], ["type string"]],
    ["limits", { type: "string", minLength: 1, maxLength: 2 }, "🦊🦊", ["maxLength 2"], ["minLength 1"]],
    ["an inclusive bound", { type: "number", minimum: 1, maximum: 9 }, 9, ["maximum 9"], ["minimum 1"]],
    [
      "an excluded bound of integers",
      { type: "integer", exclusiveMinimum: 0 },
      1,
      ["exclusiveMinimum 0"],
      [],
    ],
    ["an excluded bound of numbers", { type: "number", exclusiveMinimum: 0 }, 1, [], []],
    ["items", { type: "array", minItems: 1, items: { enum: [1, 2] } }, [2], ["minItems 1", "2"], ["1"]],
    ["other properties", { additionalProperties: { enum: ["a", "b"] } }, { x: "a" }, ['"a"'], ['"b"']],
    ["properties", { properties: { a: {}, b: {} } }, { b: 1 }, ["property b"], ["property a"]],
    [
      "readOnly properties behind a reference",
      { properties: { id: { $ref: "#/components/schemas/Id" } } },
      {},
      [],
      [],
    ],
  ])("%s", (_, schema, body, covered, missing) => {
    const found = cover(schema, body, { components });
    expect({ covered: [...found.covered].sort(), missing: [...found.missing].sort() }).toEqual({
      covered: [...covered].sort(),
      missing: [...missing].sort(),
    });
  });

  test.each([
    ["without", {}],
    ["with", { discriminator: { propertyName: "type", mapping: { cat: "Cat", dog: "Dog" } } }],
  ])("only the alternative that a value is of counts, %s a discriminator", (_, discriminator) => {
    const oneOf = [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }];
    const { covered } = cover({ oneOf, ...discriminator }, { type: "dog", barks: true }, { components });
    expect([...covered].sort()).toEqual(['"dog"', "property barks", "property type"]);
  });

  test("null counts in OpenAPI 3.0 too", () => {
    const schema = { type: "string", nullable: true };
    expect(cover(schema, null, { openapi: "3.0.3" })).toEqual({
      covered: ["null"],
      missing: ["type string"],
    });
  });

  test("a schema that contains itself ends", () => {
    const schemas = { Node: { type: "object", properties: { next: { $ref: "#/components/schemas/Node" } } } };
    const { covered } = cover(
      { $ref: "#/components/schemas/Node" },
      { next: { next: {} } },
      { components: { schemas } },
    );
    expect(covered).toEqual(["property next"]);
  });

  test("limits count for requests only", () => {
    const content = { "application/json": { schema: { type: "string", maxLength: 3 } } };
    const { coverage } = build({ responses: { "200": { description: "Fine.", content } } });
    expect(toTitles(coverage.list())).toEqual([
      "response: send: 200",
      "response media type: send: 200 application/json",
    ]);
  });
});

describe("items of streams", () => {
  const kind = (event: string) => ({
    type: "object",
    required: ["event", "data"],
    properties: { event: { const: event }, data: { type: "string" } },
  });
  const Token = kind("token");
  const Done = { type: "object", required: ["data"], properties: { data: { const: "[DONE]" } } };
  const toStream = (mediaType: string, itemSchema: object) =>
    build(
      {
        responses: {
          "200": { description: "Items.", content: { [mediaType]: { "x-itemSchema": itemSchema } } },
        },
      },
      { components: { schemas: { Token, Done } } },
    );
  const oneOf = [{ $ref: "#/components/schemas/Token" }, kind("tool"), { $ref: "#/components/schemas/Done" }];

  test.each([
    ["text/event-stream", { oneOf }, ["token", "tool", "[DONE]"], "token"],
    ["application/jsonl", { oneOf }, ["Token", "alternative 2", "Done"], "Token"],
    ["application/json-seq", Token, ["any"], "any"],
  ])("count by kind: %s", (mediaType, itemSchema, kinds, covered) => {
    const { coverage, operation } = toStream(mediaType, itemSchema);
    const toName = ({ id }: CoverageItem) => id.slice(`send response item 200 ${mediaType} `.length);
    const listed = coverage.list().filter((item) => item.kind === "response item");
    expect(listed.map(toName)).toEqual(kinds);
    const found: CoverageItem[] = [];
    const item = { event: "token", data: "a" };
    coverage.findInResponseItem(operation, { key: "200", mediaType, item }, (one) => {
      found.push(one);
    });
    expect(found.filter((item) => item.kind === "response item").map(toName)).toEqual([covered]);
    expect(found.map(({ title }) => title)).toContain("property event");
  });

  test("are recorded when they are sent", () => {
    const { contract, operation } = toStream("application/jsonl", { oneOf });
    const folder = mkdtempSync(join(tmpdir(), "tenon-coverage-"));
    try {
      const recorder = new CoverageRecorder({
        folder,
        contractUrl: new URL("file:///contract.json"),
        contract,
      });
      const body: WrittenItems = {
        source: [],
        format: "lines",
        resumes: false,
        write: (item) => JSON.stringify(item),
        end: () => "",
      };
      const content = { mediaType: "application/jsonl", kind: "items", body } as const;
      const sent = recorder.reply(operation, new Reply("send", 200, content, {}));
      expect((sent.content?.body as WrittenItems).write({ data: "[DONE]" }, 0)).toBe('{"data":"[DONE]"}');
      const [file = ""] = readdirSync(folder);
      const text = readFileSync(join(folder, file), "utf8");
      expect(text).toContain('{"id":"send response item 200 application/jsonl Done"}');
      expect(text).not.toContain("Token");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
