// @thorough: sends thousands of items.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { createServer } from "node:http";
import { afterEach, describe, expect, test } from "@jest/globals";
import express from "express";
import { BrokenStreamError } from "../../../src/tenon/client/index.js";
import { createHttpServer } from "../../../src/tenon/runtime/index.js";
import { createClient } from "../../fixtures/streams/generated/client.js";
import { type ChatItem, createApi, type Handlers } from "../../fixtures/streams/generated/server.js";
import { close, listen } from "../../support/http.js";
import { until } from "../../support/until.js";

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
    importChanges: async ({ body, query }, reply) => {
      const numbers: number[] = [];
      for await (const { number } of body.value) {
        numbers.push(number);
        if (numbers.length === query.most) break;
      }
      return reply[200]({ count: numbers.length, sum: numbers.reduce((sum, number) => sum + number, 0) });
    },
    getFile: (_, reply) => reply[200](new Uint8Array()),
    addAttachment: ({ body }, reply) => reply[200]({ size: body.file.size, sha256: "" }),
    putFile: async ({ body }, reply) => {
      const bytes = await buffer(body);
      return reply[200]({ size: bytes.byteLength, sha256: createHash("sha256").update(bytes).digest("hex") });
    },
    ...own,
  };
  const app = express();
  app.use(createApi({ handlers, ...errors, streamLimit: Infinity }));
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

test("operations that only stream accept their media types first", async () => {
  const client = await start({});
  const accepted: unknown[] = [];
  server?.prependListener("request", ({ headers }) => accepted.push(headers.accept));
  await client.POST("/chat", { body: { prompt: "Hello" } });
  await client.GET("/export");
  await client.GET("/export", { headers: { accept: "application/json-seq" } });
  await client.PUT("/files/{name}", { params: { path: { name: "a" } }, body: new Uint8Array() });
  expect(accepted).toEqual([
    "text/event-stream, */*;q=0.1",
    "application/jsonl, application/json-seq, */*;q=0.1",
    "application/json-seq",
    "*/*",
  ]);
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

describe("items of a request", () => {
  const list = () =>
    Array.from({ length: 3_000 }, (_, index) => ({ number: index + 1, tags: ["ü\u2028\n"] }));
  async function* generate() {
    await Promise.resolve();
    yield* list();
  }

  test.each([
    ["an array", list],
    ["an iterable", () => new Set(list())],
    ["an async function*", generate],
  ])("are sent from %s", async (_, toBody) => {
    const client = await start({});
    for (const mediaType of ["application/jsonl", "application/json-seq"] as const) {
      const result = await client.POST("/import", { body: toBody(), mediaType });
      expect(result).toMatchObject({ data: { count: 3_000, sum: 4_501_500 } });
    }
  });

  test("are sent while they are made", async () => {
    let received: () => void = () => undefined;
    const client = await start({
      importChanges: async ({ body }, reply) => {
        let count = 0;
        for await (const { number } of body.value) {
          count += number;
          received();
        }
        return reply[200]({ count, sum: 0 });
      },
    });
    async function* follow() {
      for (let number = 1; number <= 3; number += 1) {
        const read = new Promise<void>((resolve) => (received = resolve));
        yield { number };
        await read;
      }
    }
    const { data } = await client.POST("/import", { body: follow(), mediaType: "application/jsonl" });
    expect(data).toEqual({ count: 6, sum: 0 });
  });

  test("end when the service has its response", async () => {
    const client = await start({});
    let isOver = false;
    async function* endless() {
      try {
        for (let number = 1; ; number += 1) {
          yield { number };
          await new Promise(setImmediate);
        }
      } finally {
        isOver = true;
      }
    }
    const params = { query: { most: 3 } };
    const result = await client.POST("/import", { body: endless(), mediaType: "application/jsonl", params });
    expect(result.data).toEqual({ count: 3, sum: 6 });
    await until(() => isOver);
  });

  test("that are invalid get the response with their line", async () => {
    const client = await start({});
    const body = [{ number: 1 }, { number: 0 }];
    const result = await client.POST("/import", { body, mediaType: "application/jsonl" });
    expect([result.status, result.error]).toEqual([
      400,
      { code: "invalid_body", message: 'Line 2, field "number" must be at least 1' },
    ]);
  });

  test("have types", async () => {
    const client = await start({});
    const mediaType = "application/jsonl";
    // @ts-expect-error readOnly members are not sent
    await client.POST("/import", { body: [{ number: 1, id: "7" }], mediaType });
    // @ts-expect-error a number is required
    await client.POST("/import", { body: [{ tags: [] }], mediaType });
    const body = [{ number: 1, tags: ["a"] }] as const;
    expect((await client.POST("/import", { body, mediaType })).data?.count).toBe(1);
  });
});

test("a file is sent as it is, also from a stream", async () => {
  const client = await start({});
  const params = { path: { name: "a" } };
  const bytes = Buffer.alloc(1_000_000, "abc");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  for (const body of [bytes, new Blob([bytes]), new Blob([bytes]).stream()])
    expect((await client.PUT("/files/{name}", { params, body })).data).toEqual({ size: 1_000_000, sha256 });
});

/** A client whose responses have these chunks. */
function createChunkClient(contentType: string, chunks: Iterable<string>) {
  const body = ReadableStream.from(chunks).pipeThrough(new TextEncoderStream());
  const response = new Response(body, { headers: { "Content-Type": contentType } });
  return createClient({ baseUrl: "http://localhost", fetch: () => Promise.resolve(response) });
}

// To search the whole item for its end again with each chunk would take minutes.
test("an item in many chunks is searched once", async () => {
  const chunk = "a".repeat(1_000);
  const chunks = ['{"number":1,"text":"', ...Array.from({ length: 20_000 }, () => chunk), '"}\n{"number":2}'];
  const { data } = await createChunkClient("application/jsonl", chunks).GET("/export");
  const numbers: number[] = [];
  for await (const { number } of data ?? []) numbers.push(number);
  expect(numbers).toEqual([1, 2]);
}, 60_000);

test.each([
  [["data: [1,\r", "\ndata: 2]\r\n\r", "\ndata: 3\r\r", "data: 4\n\n"]],
  [Array.from("data: [1,\r\ndata: 2]\r\n\r\ndata: 3\r\rdata: 4\r\r")],
])("line breaks may be in two chunks: %j", async (chunks) => {
  const { data } = await createChunkClient("text/event-stream", chunks).GET("/changes");
  const events: unknown[] = [];
  for await (const event of data ?? []) events.push(event.data);
  expect(events).toEqual([[1, 2], 3, 4]);
});
