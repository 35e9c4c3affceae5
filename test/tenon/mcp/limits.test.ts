import { Readable } from "node:stream";
import { afterEach, expect, test } from "@jest/globals";
import { send } from "../../support/http.js";
import { connectAgent } from "./agent.js";
import { json, type Small, startSmall } from "./small.js";

const PATHS = {
  "/things": {
    get: {
      operationId: "findThings",
      "x-mcp": true,
      parameters: [{ in: "query", name: "id", schema: { type: "integer" } }],
      responses: { "200": json({ type: "object" }) },
    },
  },
  "/file": {
    get: {
      operationId: "getFile",
      "x-mcp": true,
      responses: {
        "200": { description: "ok", content: { "application/octet-stream": { schema: { type: "string" } } } },
      },
    },
  },
};

let small: Small | undefined;
afterEach(() => small?.stop());

const failures: unknown[] = [];

const start = async (own: Parameters<typeof startSmall>[0]["handlers"] = {}, mcp = {}): Promise<Small> =>
  (small = await startSmall({
    paths: PATHS,
    onFailure: ({ error }) => failures.push(error),
    handlers: {
      findThings: (_, reply) => reply[200]?.({}),
      getFile: (_, reply) => reply[200]?.(new Uint8Array()),
      ...own,
    },
    mcp,
  }));

const HEADERS = {
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
  "MCP-Protocol-Version": "2025-11-25",
};

const toCall = (args: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"findThings","arguments":${args}}}`;

const sendMessage = ({ port }: Small, body: string) =>
  send(port, "/mcp", { method: "POST", headers: HEADERS, body });

test.each([
  ["is as large as a body may be", `{"id":1}${" ".repeat(102_400 - toCall('{"id":1}').length)}`, 200, 1],
  ["is larger than a body may be", `{"id":1}${" ".repeat(102_400)}`, 413, 0],
  ["has more than 64 levels", `{"id":${"[".repeat(65)}${"]".repeat(65)}}`, 400, 0],
  ["has a member twice", '{"id":1,"id":2}', 400, 0],
  ["has a number that would be rounded", '{"id":1.00000000000000001}', 400, 0],
  ["has a lone surrogate", '{"id":"\\ud800"}', 400, 0],
])("a message that %s", async (_, args, status, calls) => {
  const service = await start();
  expect((await sendMessage(service, toCall(args))).status).toBe(status);
  expect(service.handled).toHaveLength(calls);
});

test("a message that is larger than an option allows, without Content-Length", async () => {
  const service = await start({}, { bodyLimit: 200 });
  const { status } = await send(service.port, "/mcp", {
    method: "POST",
    headers: { ...HEADERS, "Transfer-Encoding": "chunked" },
    body: toCall(`{"id":1${" ".repeat(200)}}`),
  });
  expect(status).toBe(413);
});

test("several messages in one request are refused: their calls would be made at once", async () => {
  const service = await start();
  const batch = `[${Array.from({ length: 100 }, () => toCall("{}")).join(",")}]`;
  expect((await sendMessage(service, batch)).status).toBe(400);
  expect(service.handled).toEqual([]);
});

test("arguments that no request line can have are refused at once", async () => {
  const service = await start({}, { maxTime: 600_000 });
  const agent = await connectAgent(service.url);
  const { structuredContent, text } = await agent.call("findThings", { id: "1".repeat(90_000) });
  expect(structuredContent?.status).toBe(431);
  expect(text).not.toContain("longer than is read");
  await agent.close();
});

test("a response that breaks is an error at once", async () => {
  async function* breaking(): AsyncGenerator<Buffer> {
    yield Buffer.from("a");
    await new Promise(setImmediate);
    throw new Error("The disk is gone");
  }
  const getFile = (_: unknown, reply: Record<number, (...parameters: unknown[]) => object>) =>
    reply[200]?.(Readable.from(breaking(), { objectMode: false }));
  const service = await start({ getFile }, { maxTime: 600_000 });
  const agent = await connectAgent(service.url);
  const { isError } = await agent.call("getFile");
  expect(isError).toBe(true);
  expect(failures.at(-1)).toMatchObject({ message: "The disk is gone" });
  await agent.close();
});
