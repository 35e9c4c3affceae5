// @thorough: collects the garbage of a whole test process.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, expect, test } from "@jest/globals";
import express from "express";
import { CollectedBytes } from "../../../src/tenon/runtime/body/collected-bytes.js";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { createHttpServer, createRouter } from "../../../src/tenon/runtime/index.js";
import { close, listen } from "../../support/http.js";
import { until } from "../../support/until.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const BYTES = 90_000;
const START = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n';

const toOperation = (operationId: string, mediaType: string, content: object) => ({
  post: {
    operationId,
    requestBody: { required: true, content: { [mediaType]: content } },
    responses: { "204": { description: "ok" } },
  },
});
const contract = buildContract({
  openapi: "3.2.0",
  info: { title: "t", version: "1" },
  paths: {
    "/json": toOperation("json", "application/json", { schema: {} }),
    "/items": toOperation("items", "application/jsonl", { itemSchema: {} }),
    "/form": toOperation("form", "multipart/form-data", {
      schema: { properties: { a: { type: "string" } } },
    }),
  },
});

let server: ReturnType<typeof createHttpServer>;
afterEach(() => close(server));

test.each([
  ["/json", "application/json", '"'],
  ["/items", "application/jsonl", '"'],
  ["/form", "multipart/form-data; boundary=b", START],
])("a body in chunks of a byte takes memory in proportion to its bytes: %s", async (path, type, start) => {
  const errors = { errorBody: () => ({}), onFailure: () => undefined };
  type Reply = Readonly<Record<204, () => unknown>>;
  const handle = (_: unknown, reply: Reply) => reply[204]();
  const items = async ({ body }: { readonly body: AsyncIterable<unknown> }, reply: Reply) => {
    for await (const item of body) expect(item).toBeDefined();
    return reply[204]();
  };
  const app = express();
  app.use(createRouter(contract, { handlers: { json: handle, items, form: handle }, ...errors }));
  server = createHttpServer(app, { ...errors, requestTimeout: 600_000, headersTimeout: 600_000 });
  const received: Socket[] = [];
  server.on("connection", (socket) => received.push(socket));
  const socket = connect(await listen(server), "127.0.0.1").on("error", () => undefined);
  await once(socket, "connect");
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const chunks = Buffer.from("1\r\nx\r\n".repeat(BYTES));
  const before = `${head}${start.length.toString(16)}\r\n${start}\r\n`;
  collect();
  const memory = () => process.memoryUsage().heapUsed + process.memoryUsage().external;
  const used = memory();
  socket.write(before);
  socket.write(chunks);
  await until(() => received[0]?.bytesRead === before.length + chunks.byteLength);
  collect();
  expect((memory() - used) / BYTES).toBeLessThan(50);
  socket.destroy();
});

test("small chunks are put together, and large ones are kept as they are", () => {
  const bytes = new CollectedBytes();
  const small = Array.from({ length: 3_000 }, (_, index) => Buffer.from([index % 256]));
  const large = Buffer.alloc(2_000, 7);
  const expected = Buffer.concat([large, ...small, large]);
  for (const chunk of [large, ...small, large]) bytes.add(chunk);
  expect(bytes.size).toBe(expected.byteLength);
  // The chunks are not needed any more.
  for (const chunk of small) chunk.fill(0);
  expect(bytes.take().equals(expected)).toBe(true);
  expect([bytes.size, bytes.take().byteLength]).toEqual([0, 0]);
  bytes.add(large);
  expect(bytes.take()).toBe(large);
});
