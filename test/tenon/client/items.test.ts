import { once } from "node:events";
import { createServer } from "node:http";
import { afterEach, expect, test } from "@jest/globals";
import express from "express";
import { BrokenStreamError } from "../../../src/tenon/client/index.js";
import { createHttpServer } from "../../../src/tenon/runtime/index.js";
import { createClient } from "../../fixtures/streams/generated/client.js";
import { type ChatItem, createApi, type Handlers } from "../../fixtures/streams/generated/server.js";
import { close, listen } from "../../support/http.js";

const errors = {
  errorBody: ({ code, message }: { readonly code: string; readonly message: string }) => ({ code, message }),
  onFailure: () => undefined,
};

let server: ReturnType<typeof createHttpServer> | undefined;
afterEach(async () => {
  if (server) await close(server);
});

async function start(own: Partial<Handlers<object, object>>) {
  const handlers: Handlers<object, object> = {
    chat: (_, reply) => reply[200]([]),
    listChanges: (_, reply) => reply[200]([]),
    exportChanges: (_, reply) => reply[200].jsonl([]),
    ...own,
  };
  const app = express();
  app.use(createApi({ handlers, ...errors }));
  server = createHttpServer(app, errors);
  return createClient({ baseUrl: `http://127.0.0.1:${await listen(server)}/v1` });
}

test("a chat is read until its last event", async () => {
  let proceed: () => void = () => undefined;
  const read = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  const client = await start({
    chat({ body }, reply) {
      async function* answer(): AsyncGenerator<ChatItem> {
        yield { event: "token", data: { text: `${body.prompt}\nö` } };
        // The first event is sent before the second one is made.
        await read;
        yield { event: "tool", data: { name: "search", arguments: { q: "[DONE]" } } };
        yield { data: "[DONE]" };
      }
      return reply[200](answer());
    },
  });
  const { data, error } = await client.POST("/chat", { body: { prompt: "Hello" } });
  if (error) throw new Error(error.message);
  const found: string[] = [];
  for await (const item of data) {
    proceed();
    if (item.event === "token") found.push(item.data.text);
    else if (item.event === "tool") found.push(item.data.name);
    else found.push(item.data);
  }
  expect(found).toEqual(["Hello\nö", "search", "[DONE]"]);
});

test("the id of the last event is sent, and events have ids and times", async () => {
  const client = await start({
    listChanges: ({ headers }, reply) => {
      const start = Number(headers["last-event-id"] ?? 0);
      return reply[200]([{ id: String(start + 1), retry: 500, data: { number: start + 1, note: null } }]);
    },
  });
  const { data } = await client.GET("/changes", { params: { header: { "Last-Event-ID": "7" } } });
  const found = [];
  for await (const item of data ?? []) found.push(item);
  expect(found).toEqual([{ id: "8", retry: 500, data: { number: 8, note: null } }]);
});

test.each(["jsonl", "jsonSeq"] as const)("items are read as %s", async (name) => {
  const list = () => Array.from({ length: 3_000 }, (_, index) => ({ number: index + 1, note: "ü\u2028\n" }));
  const client = await start({ exportChanges: (_, reply) => reply[200][name](list()) });
  const { data } = await client.GET("/export");
  const found = [];
  for await (const item of data ?? []) found.push(item);
  expect(found).toEqual(list());
});

test("a stream that breaks is an error after the items before it", async () => {
  const client = await start({
    exportChanges(_, reply) {
      async function* list() {
        yield { number: 1 };
        await Promise.resolve();
        yield { number: 0 };
      }
      return reply[200].jsonl(list());
    },
  });
  const { data } = await client.GET("/export");
  const found: unknown[] = [];
  const read = async () => {
    for await (const item of data ?? []) found.push(item);
  };
  await expect(read()).rejects.toThrow(BrokenStreamError);
  expect(found).toEqual([{ number: 1 }]);
});

test("leaving the loop, and aborting, end the server's iteration", async () => {
  for (const leave of ["break", "abort"] as const) {
    const ends = new EventTarget();
    const ended = once(ends, "ended");
    const client = await start({
      listChanges(_, reply) {
        async function* list() {
          try {
            for (let number = 1; ; number += 1) {
              yield { id: String(number), data: { number } };
              await new Promise(setImmediate);
            }
          } finally {
            ends.dispatchEvent(new Event("ended"));
          }
        }
        return reply[200](list());
      },
    });
    const aborting = new AbortController();
    const { data } = await client.GET("/changes", { signal: aborting.signal });
    const read = async () => {
      for await (const item of data ?? []) {
        expect(item.data.number).toBeGreaterThan(0);
        if (leave === "break") break;
        aborting.abort();
      }
    };
    if (leave === "break") await read();
    else await expect(read()).rejects.toThrow("aborted");
    await ended;
    if (server) await close(server);
  }
  server = undefined;
});

test("any division into chunks and lines is read", async () => {
  const text =
    '\uFEFF: comment\r\nid: 1\r\ndata: {"number":\r\ndata: 1}\r\n\r\nretry:5\rid\rdata:{"number":2}\r\r\ndata: {"number":3}\nid: 3\nother: x\n\ndata: {"number":4}';
  for (let size = 1; size < 40; size += 1) {
    const bytes = Buffer.from(text);
    server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      const send = (index: number): void => {
        if (index >= bytes.length) response.end();
        else response.write(bytes.subarray(index, index + size), () => setImmediate(send, index + size));
      };
      send(0);
    });
    const client = createClient({ baseUrl: `http://127.0.0.1:${await listen(server)}/v1` });
    const { data } = await client.GET("/changes");
    const found = [];
    for await (const item of data ?? []) found.push(item);
    expect(found).toEqual([
      { id: "1", data: { number: 1 } },
      { id: "", retry: 5, data: { number: 2 } },
      { id: "3", data: { number: 3 } },
    ]);
    await close(server);
  }
  server = undefined;
});
