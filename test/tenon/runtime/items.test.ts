import { EventEmitter, on, once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, test } from "@jest/globals";
import express from "express";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import { createHttpServer, createRouter } from "../../../src/tenon/runtime/index.js";
import { close, listen } from "../../support/http.js";

const TOKEN = {
  type: "object",
  required: ["event", "data"],
  properties: {
    event: { const: "token" },
    id: { type: "string" },
    data: {
      type: "string",
      contentMediaType: "application/json",
      contentSchema: { $ref: "#/components/schemas/Token" },
    },
  },
};
const DONE = { type: "object", required: ["data"], properties: { data: { const: "[DONE]" } } };
const toResponses = (mediaType: string, itemSchema: object) => ({
  responses: {
    "200": { description: "Items.", content: { [mediaType]: { "x-itemSchema": itemSchema } } },
    "404": { description: "None.", content: { "application/json": { schema: {} } } },
  },
});

const contract = buildContract({
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  paths: {
    "/chat": { get: { operationId: "chat", ...toResponses("text/event-stream", { oneOf: [TOKEN, DONE] }) } },
    "/lines": {
      get: {
        operationId: "lines",
        ...toResponses("application/jsonl", { $ref: "#/components/schemas/Token" }),
      },
    },
    "/records": { get: { operationId: "records", ...toResponses("application/json-seq", {}) } },
  },
  components: {
    schemas: { Token: { type: "object", required: ["text"], properties: { text: { type: "string" } } } },
  },
});

type Reply = Readonly<Record<200 | 404, (body: unknown) => unknown>>;
type Handle = (reply: Reply) => unknown;

const failures: unknown[] = [];
const problems: unknown[] = [];
let server: ReturnType<typeof createHttpServer> | undefined;
afterEach(async () => {
  failures.length = problems.length = 0;
  if (server) await close(server);
});

/** Starts a service whose operations all reply alike, and requests one of them. */
async function get(path: string, handle: Handle, options: object = {}): Promise<Response> {
  const errors = {
    errorBody: ({ code }: { readonly code: string }) => ({ code }),
    onFailure: ({ error }: { readonly error: unknown }) => void failures.push(error),
    onResponseProblem: ({ problems: found }: { readonly problems: readonly string[] }) =>
      void problems.push(...found),
    ...options,
  };
  const handler = (_: unknown, reply: Reply) => handle(reply);
  const app = express();
  app.use(
    createRouter(contract, { handlers: { chat: handler, lines: handler, records: handler }, ...errors }),
  );
  server = createHttpServer(app, errors);
  return fetch(`http://127.0.0.1:${await listen(server)}${path}`);
}

const CHAT = [
  { event: "token", id: "1", data: { text: "one\ntwo" } },
  { event: "token", data: { text: "three" } },
  { data: "[DONE]" },
];

test("events are written with JSON data and plain texts", async () => {
  const response = await get("/chat", (reply) => reply[200](CHAT));
  expect(await response.text()).toBe(
    'event: token\ndata: {"text":"one\\ntwo"}\nid: 1\n\nevent: token\ndata: {"text":"three"}\n\ndata: [DONE]\n\n',
  );
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
    "x-accel-buffering": "no",
  });
  expect(problems).toEqual([]);
});

test.each([
  ["/lines", '{"text":"a"}\n{"text":"b"}\n'],
  ["/records", '\u001E{"text":"a"}\n\u001E{"text":"b"}\n'],
])("%s are written one by one", async (path, text) => {
  async function* list() {
    yield { text: "a" };
    await wait(1);
    yield { text: "b" };
  }
  expect(await (await get(path, (reply) => reply[200](list()))).text()).toBe(text);
});

test("an event cannot have fields of another", async () => {
  const response = await get("/chat", (reply) =>
    reply[200]([{ event: "token", id: "1\ndata: x", data: { text: "a" } }]),
  );
  expect(response.status).toBe(500);
  expect(failures).toEqual([new TypeError("The id of an event must not contain a line break")]);
});

test("a stream without items is an empty body", async () => {
  const response = await get("/lines", (reply) => reply[200]([]));
  expect([response.status, await response.text()]).toEqual([200, ""]);
});

describe("an item that is not as declared", () => {
  test("is a 500 when it is the first", async () => {
    const response = await get("/lines", (reply) => reply[200]([{ text: 1 }]));
    expect(response.status).toBe(500);
    expect(problems).toEqual(["item: /text must be a string"]);
  });

  test("breaks the connection later, so that the stream does not seem complete", async () => {
    const response = await get("/lines", (reply) => reply[200]([{ text: "a" }, { text: 1 }]));
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(failures).toEqual([
      new Error('The response of "lines" is not as declared: item: /text must be a string'),
    ]);
  });

  test("is sent and reported with `report`", async () => {
    const response = await get("/lines", (reply) => reply[200]([{ text: 1 }, { text: "a" }]), {
      responseValidation: "report",
    });
    expect(await response.text()).toBe('{"text":1}\n{"text":"a"}\n');
    expect(problems).toEqual(["item: /text must be a string"]);
  });

  test("names the kind of event that it is closest to", async () => {
    await get("/chat", (reply) => reply[200]([{ event: "token", data: {} }]));
    expect(problems).toEqual(["item: /data/text is required"]);
  });
});

test("undeclared members of items are removed and reported", async () => {
  const response = await get("/lines", (reply) => reply[200]([{ text: "a", secret: 1 }]), {
    responseValidation: "report",
  });
  expect(await response.text()).toBe('{"text":"a"}\n');
  expect(problems).toEqual(["/secret is not declared"]);
});

test("a body that is no iterable is a 500", async () => {
  const response = await get("/lines", (reply) => reply[200]("text"));
  expect(response.status).toBe(500);
  expect(problems).toEqual(["the body must be an iterable of items"]);
});

test("a failure before the first item is a response of the contract", async () => {
  const source = {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("No store")) }),
  };
  expect((await get("/lines", (reply) => reply[200](source))).status).toBe(500);
  expect(failures).toEqual([new Error("No store")]);
});

test("the iteration ends when the client leaves, also while the next item is awaited", async () => {
  const left = new EventTarget();
  const ended = once(left, "ended");
  let pulled = 0;
  const source = {
    [Symbol.asyncIterator]: () => ({
      next: () =>
        (pulled += 1) === 1
          ? Promise.resolve({ done: false, value: { text: "a" } })
          : new Promise<never>(() => undefined),
      return: () => {
        left.dispatchEvent(new Event("ended"));
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
  const response = await get("/lines", (reply) => reply[200](source));
  const reader = response.body?.getReader();
  const first = (await reader?.read()) as { readonly value?: Uint8Array } | undefined;
  expect(new TextDecoder().decode(first?.value)).toBe('{"text":"a"}\n');
  await reader?.cancel();
  await ended;
  expect(failures).toEqual([]);
});

test("the signal of a function is aborted when the client leaves", async () => {
  const events = new EventEmitter();
  const left = new Promise((resolve) => {
    events.once("removeListener", resolve);
  });
  const response = await get("/lines", (reply) =>
    reply[200](async function* (signal: AbortSignal) {
      yield { text: "a" };
      for await (const [text] of on(events, "text", { signal }) as AsyncIterable<[string]>) yield { text };
    }),
  );
  const reader = response.body?.getReader();
  await reader?.read();
  events.emit("text", "b");
  await reader?.cancel();
  await left;
  expect(failures).toEqual([]);
});

test("a source is read no faster than the client", async () => {
  let made = 0;
  function* list() {
    for (;;) {
      made += 1;
      yield { text: "x".repeat(100_000) };
    }
  }
  const response = await get("/lines", (reply) => reply[200](list()));
  const reader = response.body?.getReader();
  await reader?.read();
  // The buffers of the two sockets fill up, and then nothing is made.
  let before = -1;
  while (before !== made) {
    before = made;
    await wait(200);
  }
  expect(made).toBeLessThan(1_000);
  await reader?.cancel();
});

test("an event stream opens before the first event", async () => {
  let send: () => void = () => undefined;
  const pending = new Promise<void>((resolve) => {
    send = resolve;
  });
  async function* list() {
    await pending;
    yield { data: "[DONE]" };
  }
  const response = await get("/chat", (reply) => reply[200](list()));
  send();
  expect(await response.text()).toBe(":\n\ndata: [DONE]\n\n");
});
