import { connect } from "node:net";
import { Readable } from "node:stream";
import { afterEach, expect, test } from "@jest/globals";
import express from "express";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { createHttpServer, createRouter } from "../../../src/tenon/runtime/index.js";
import { close, listen } from "../../support/http.js";

const toContent = (name: string, content: object) => ({
  get: { operationId: name, responses: { "200": { description: "ok", content } } },
});
const contract = buildContract({
  openapi: "3.2.0",
  info: { title: "t", version: "1" },
  paths: {
    "/items": toContent("items", { "application/jsonl": { itemSchema: {} } }),
    "/bytes": toContent("bytes", { "application/octet-stream": {} }),
  },
});

let server: ReturnType<typeof createHttpServer>;
afterEach(() => close(server));

/** Sends a request whose response has one item or chunk, and fails then unless it is complete. */
async function get(path: string, version: string, isComplete: boolean) {
  const produce = async function* () {
    yield path === "/items" ? 1 : Buffer.from("1\n");
    await sent;
    if (!isComplete) throw new Error("broken");
  };
  const errors = {
    errorBody: ({ code }: { readonly code: string }) => ({ code }),
    onFailure: () => undefined,
  };
  type Reply = Readonly<Record<200, (body: unknown) => unknown>>;
  const handlers = {
    items: (_: unknown, reply: Reply) => reply[200](produce()),
    bytes: (_: unknown, reply: Reply) => reply[200](Readable.from(produce())),
  };
  const app = express();
  app.use(createRouter(contract, { handlers, ...errors }));
  server = createHttpServer(app, errors);
  const socket = connect(await listen(server), "127.0.0.1");
  let [text, code] = ["", "none"];
  const sent = new Promise<void>((resolve) => {
    socket.on("data", (chunk) => {
      text += chunk.toString();
      if (text.includes("1\n")) resolve();
    });
  });
  socket.on("error", (error: NodeJS.ErrnoException) => (code = error.code ?? ""));
  socket.write(`GET ${path} HTTP/${version}\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await new Promise((resolve) => socket.once("close", resolve));
  return {
    isChunked: /^Transfer-Encoding: chunked/im.test(text),
    hasLastChunk: text.endsWith("0\r\n\r\n"),
    code,
  };
}

const RESET = { isChunked: false, hasLastChunk: false, code: "ECONNRESET" };

test.each([
  ["/items", "1.0", false, RESET],
  ["/bytes", "1.0", false, RESET],
  ["/items", "1.0", true, { ...RESET, code: "none" }],
  ["/bytes", "1.0", true, { ...RESET, code: "none" }],
  ["/items", "1.1", false, { isChunked: true, hasLastChunk: false, code: "none" }],
  ["/bytes", "1.1", false, { isChunked: true, hasLastChunk: false, code: "none" }],
  ["/items", "1.1", true, { isChunked: true, hasLastChunk: true, code: "none" }],
  ["/bytes", "1.1", true, { isChunked: true, hasLastChunk: true, code: "none" }],
])(
  "an incomplete response does not look complete: %s, HTTP/%s, complete: %s",
  async (path, version, isComplete, end) => {
    expect(await get(path, version, isComplete)).toEqual(end);
  },
);
