// @thorough: reads streams that never end.
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

type End = "in order" | "never" | "broken";

test.each<[string, string, string | undefined, End]>([
  ["is as declared", EVENTS, undefined, "in order"],
  ["has an invalid item", EVENTS.replace('"number":2', '"number":0'), "body", "in order"],
  ["has an item that is not JSON", EVENTS.replace("{", "("), "body", "in order"],
  [
    "has an undeclared member",
    EVENTS.replace('"number":2', '"number":2,"secret":1'),
    "undeclared",
    "in order",
  ],
  ["never ends", EVENTS, undefined, "never"],
  ["never ends, and is read within an event", `${EVENTS}id: 3\ndata: {"num`, undefined, "never"],
  ["never ends and has an invalid item", EVENTS.replace('"number":2', '"number":0'), "body", "never"],
  ["ends within an event", EVENTS.slice(0, -1), "body", "in order"],
  ["ends within a line", EVENTS.slice(0, -5), "body", "in order"],
  ["ends with a comment", `${EVENTS}: bye`, undefined, "in order"],
  ["breaks after an event", EVENTS, "no-answer", "broken"],
  ["breaks within an event", EVENTS.slice(0, -5), "no-answer", "broken"],
])("verify finds what is wrong with a stream that %s", async (_, text, check, end) => {
  const { failures } = await verifyStream(text, end);
  expect(failures.map((failure) => failure.check)).toEqual(check === undefined ? [] : [check]);
});

test.each(Array.from({ length: 6 }, (_, index) => index))("verify finds a bad item at %d", async (place) => {
  const events = Array.from(
    { length: 6 },
    (_, index) => `id: ${index}\ndata: {"number":${index === place ? 0 : index + 1}}\n\n`,
  );
  const { failures } = await verifyStream(events.join(":\n\n"), "in order");
  expect(failures.map(({ check, message }) => [check, message.includes(`/${place}/`)])).toEqual([
    ["body", true],
  ]);
});

function verifyStream(text: string, end: End) {
  const server = createServer((request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { allow: "GET, HEAD" }).end();
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (request.method === "HEAD") response.end();
    else if (end === "in order") response.end(text);
    else response.write(text, () => end === "broken" && response.destroy());
  });
  return verifyServer(toStreams(CHANGE), server, { runs: 1 });
}
