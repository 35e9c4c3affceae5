// @thorough: waits for timeouts of connections.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import express from "express";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { createHttpServer, createRouter } from "../../../src/tenon/runtime/index.js";
import { close, listen } from "../../support/http.js";

const LIMIT_MS = 500;

const contract = buildContract({
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  paths: Object.fromEntries(
    ["application/jsonl", "application/json"].map((mediaType) => [
      `/${mediaType.slice("application/".length)}`,
      {
        post: {
          requestBody: { content: { [mediaType]: mediaType.endsWith("l") ? { "x-itemSchema": {} } : {} } },
          responses: { "204": { description: "Read." } },
        },
      },
    ]),
  ),
});

type Handle = (
  request: { readonly body: AsyncIterable<unknown> },
  reply: Record<204, () => unknown>,
) => unknown;

let server: ReturnType<typeof createHttpServer>;
afterEach(() => close(server));

const readAll: Handle = async ({ body }, reply) => {
  const items: unknown[] = [];
  for await (const item of body) items.push(item);
  return reply[204]();
};

async function open(path: string, handle: Handle = readAll, minStreamRate = 0): Promise<Socket> {
  const errors = {
    errorBody: ({ code }: { readonly code: string }) => ({ code }),
    onFailure: () => undefined,
  };
  const handlers = { postJsonl: handle, postJson: handle };
  const app = express();
  app.use(createRouter(contract, { handlers, ...errors, streamLimit: Infinity }));
  server = createHttpServer(app, { ...errors, requestTimeout: LIMIT_MS, minStreamRate });
  return begin(path);
}

/** Sends the head of a request. */
async function begin(path: string): Promise<Socket> {
  const socket = connect(await listen(server), "127.0.0.1").on("error", () => undefined);
  await once(socket, "connect");
  const type = `application${path}`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  return socket;
}

/**
 * Sends a chunk at a time until there is a response, for more than eight times the limit. The pauses are so short that they are shorter
 * than the limit on a slow machine, too.
 */
async function trickle(socket: Socket, chunk: string): Promise<string> {
  let text = "";
  socket.on("data", (data) => (text += String(data)));
  for (let sent = 0; sent < 400 && text === ""; sent += 1) {
    socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    await setTimeout(LIMIT_MS / 50);
  }
  if (text === "") {
    socket.write("0\r\n\r\n");
    await once(socket, "data");
  }
  return text;
}

test("a streamed body may take longer than the limit as a whole", async () => {
  expect(await trickle(await open("/jsonl"), "1\n")).toMatch(/^HTTP\/1.1 204 /);
});

test.each([
  [10_000, 408],
  // Ten bytes, with their chunk, fifty times in the time.
  [20, 204],
])("a streamed body that arrives with less than %d bytes per second", async (minStreamRate, status) => {
  const socket = await open("/jsonl", readAll, minStreamRate);
  expect(await trickle(socket, "1111\n")).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

test("another body may not", async () => {
  expect(await trickle(await open("/json"), " ")).toMatch(/^HTTP\/1.1 408 /);
});

test("a streamed body that pauses for longer is refused", async () => {
  const socket = await open("/jsonl");
  socket.write("2\r\n1\n\r\n");
  expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1.1 408 /);
});

test("a handler may pause for longer", async () => {
  const socket = await open("/jsonl", async (request, reply) => {
    for await (const item of request.body) if (item === 0) await setTimeout(8 * LIMIT_MS);
    return reply[204]();
  });
  // More than the buffers in between hold: the rest waits with the sender.
  const chunk = `"${"x".repeat(60_000)}"\n`;
  socket.write("2\r\n0\n\r\n");
  for (let count = 0; count < 500; count += 1) socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  socket.write("0\r\n\r\n");
  expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1.1 204 /);
});

test("a server that listens again after it was closed limits the time again", async () => {
  const before = await open("/json");
  before.destroy();
  await close(server);
  const socket = await begin("/json");
  expect(await trickle(socket, " ")).toMatch(/^HTTP\/1\.1 408 /);
});
