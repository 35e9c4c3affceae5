import { createServer } from "node:http";
import { expect, test } from "@jest/globals";
import { compareContracts } from "../../src/cli/diff/contract/compare-contracts.js";
import { startMock } from "../../src/cli/mock/start-mock.js";
import { parseItems } from "../../src/tenon/core/http/index.js";
import { buildContract } from "../../src/tenon/core/model/index.js";
import { createValidatorCompiler } from "../../src/tenon/runtime/validation/validator.js";
import { verifyServer } from "./verify/run.js";

const CHANGE = {
  type: "object",
  required: ["id", "data"],
  properties: {
    id: { type: "string", pattern: "^[0-9]+$" },
    data: {
      type: "string",
      contentMediaType: "application/json",
      contentSchema: {
        type: "object",
        required: ["number"],
        properties: { number: { type: "integer", minimum: 1 } },
      },
    },
  },
};

function toStreams(itemSchema: object, mediaType = "text/event-stream") {
  return buildContract({
    openapi: "3.1.0",
    info: { title: "t", version: "1" },
    paths: {
      "/changes": {
        get: {
          operationId: "listChanges",
          responses: {
            "200": { description: "Changes.", content: { [mediaType]: { "x-itemSchema": itemSchema } } },
          },
        },
      },
    },
  });
}

test.each(["text/event-stream", "application/jsonl", "application/json-seq"])(
  "the mock streams valid items as %s",
  async (mediaType) => {
    const contract = toStreams(CHANGE, mediaType);
    const mock = await startMock(contract, { port: 0, seed: "1" });
    try {
      const response = await fetch(`${mock.url}/changes`);
      expect(response.headers.get("content-type")).toBe(mediaType);
      const format = contract.operations[0]?.responses[0]?.mediaTypes[0]?.items?.format ?? "lines";
      const items = parseItems(await response.text(), format, [{ json: true }]);
      expect(items).toHaveLength(3);
      const [operation] = contract.operations;
      const found = operation && createValidatorCompiler(contract)(operation).findItems(200, mediaType);
      expect(items.flatMap((item) => found?.check(item) ?? ["unknown"])).toEqual([]);
    } finally {
      await mock.stop();
    }
  },
);

test("diff compares items", async () => {
  const wider = structuredClone(CHANGE);
  wider.properties.data.contentSchema.properties.number.minimum = 0;
  const findings = await compareContracts(
    { base: toStreams(CHANGE), revision: toStreams(wider) },
    { now: 0 },
  );
  expect(findings.map(({ code, message, before, after }) => [code, message, before, after])).toEqual([
    [
      "response-minimum-lowered",
      "Each item of the response 200 at data.number has a lower minimum: 1, now 0",
      1,
      0,
    ],
  ]);
});

const EVENTS = 'id: 1\ndata: {"number":1}\n\nid: 2\ndata: {"number":2}\n\n';

test.each([
  ["is as declared", EVENTS, undefined, true],
  ["has an invalid item", EVENTS.replace('"number":2', '"number":0'), "body", true],
  ["has an item that is not JSON", EVENTS.replace("{", "("), "body", true],
  ["has an undeclared member", EVENTS.replace('"number":2', '"number":2,"secret":1'), "undeclared", true],
  ["never ends", EVENTS, undefined, false],
  ["never ends and has an invalid item", EVENTS.replace('"number":2', '"number":0'), "body", false],
])("verify finds what is wrong with a stream that %s", async (_, text, check, ends) => {
  const server = createServer((request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { allow: "GET, HEAD" }).end();
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(text);
    if (ends || request.method === "HEAD") response.end();
  });
  const { failures } = await verifyServer(toStreams(CHANGE), server, { runs: 1 });
  expect(failures.map((failure) => failure.check)).toEqual(check === undefined ? [] : [check]);
});
