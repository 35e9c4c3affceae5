// @thorough: reads streams that never end.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
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
      expect(items.flatMap((item) => found?.check(item, 0) ?? ["unknown"])).toEqual([]);
    } finally {
      await mock.stop();
    }
  },
);

test("the mock sends each item after a delay", async () => {
  const mock = await startMock(toStreams(CHANGE), { port: 0, seed: "1", delay: [10, 10] });
  try {
    const { body } = await fetch(`${mock.url}/changes`);
    const chunks: unknown[] = [];
    for await (const chunk of body ?? []) chunks.push(chunk);
    // Without the delay, they come together.
    expect(chunks).toHaveLength(3);
  } finally {
    await mock.stop();
  }
});

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

const IMPORTED = {
  type: "object",
  required: ["number"],
  properties: {
    number: { type: "integer", minimum: 1 },
    owner: { type: "object", required: ["name"], properties: { name: { type: "string", minLength: 1 } } },
  },
};

function toImport(itemSchema: object, mediaType = "application/jsonl") {
  return buildContract({
    openapi: "3.1.0",
    info: { title: "t", version: "1" },
    paths: {
      "/changes": {
        post: {
          operationId: "importChanges",
          requestBody: { required: true, content: { [mediaType]: { "x-itemSchema": itemSchema } } },
          responses: {
            "204": { description: "Imported." },
            "400": { description: "An invalid line." },
            "415": { description: "Another media type." },
          },
        },
      },
    },
  });
}

test("diff compares items of requests", async () => {
  const narrower = structuredClone(IMPORTED);
  narrower.properties.number.minimum = 2;
  narrower.required.push("owner");
  const contracts = { base: toImport(IMPORTED), revision: toImport(narrower) };
  const findings = await compareContracts(contracts, { now: 0 });
  expect(findings.map(({ code, message }) => [code, message])).toEqual([
    ["request-property-became-required", 'Each item of the request body now requires the property "owner"'],
    ["request-minimum-raised", "Each item of the request body at number has a higher minimum: 1, now 2"],
  ]);
});

test.each(["application/jsonl", "application/json-seq"])(
  "the mock validates items of %s",
  async (mediaType) => {
    const mock = await startMock(toImport(IMPORTED, mediaType), { port: 0, seed: "1" });
    const start = mediaType === "application/json-seq" ? "\u001E" : "";
    const post = (...lines: readonly string[]) => {
      const body = lines.map((line) => `${start}${line}\n`).join("");
      return fetch(`${mock.url}/changes`, { method: "POST", headers: { "content-type": mediaType }, body });
    };
    try {
      expect((await post('{"number":1}', '{"number":2}')).status).toBe(204);
      expect((await post('{"number":1}', '{"number":0}')).status).toBe(400);
      expect((await post('{"number":1}', '{"number"')).status).toBe(400);
    } finally {
      await mock.stop();
    }
  },
);

/** Serves an import that checks lines itself. */
function serveImport(isValid: (lines: readonly string[]) => boolean) {
  return createServer((request, response) => {
    void text(request).then((body) => {
      const type = request.headers["content-type"];
      if (request.method !== "POST") response.writeHead(405, { allow: "POST" }).end();
      else if (type !== "application/jsonl") response.writeHead(415).end();
      else response.writeHead(isValid(body.split("\n").filter((line) => line !== "")) ? 204 : 400).end();
    });
  });
}

const importable = createValidatorCompiler(toStreams(IMPORTED, "application/jsonl"));
function isImportable(line: string): boolean {
  const [operation] = toStreams(IMPORTED, "application/jsonl").operations;
  const items = operation && importable(operation).findItems(200, "application/jsonl");
  try {
    return items?.check(JSON.parse(line), 0).length === 0;
  } catch {
    return false;
  }
}

test.each([
  ["checks every line", (lines: readonly string[]) => lines.every(isImportable), []],
  [
    "only checks the first line",
    ([line]: readonly string[]) => line === undefined || isImportable(line),
    ["refused"],
  ],
  ["accepts nothing", () => false, ["accepted"]],
])("verify finds what is wrong with an import that %s", async (_, isValid, checks) => {
  const { failures } = await verifyServer(toImport(IMPORTED), serveImport(isValid), { runs: 5 });
  expect([...new Set(failures.map((failure) => failure.check))]).toEqual(checks);
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
