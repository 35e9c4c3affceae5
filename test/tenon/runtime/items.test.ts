import { spawn } from "node:child_process";
import { EventEmitter, on, once } from "node:events";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, test } from "@jest/globals";
import { createGzip } from "node:zlib";
import express, { type RequestHandler } from "express";
import { buildContract } from "../../../src/tenon/core/model/index.js";
import {
  createHttpServer,
  createRouter,
  type ObservedStream,
  type ResponseProblem,
} from "../../../src/tenon/runtime/index.js";
import { close, listen } from "../../support/http.js";
import { until } from "../../support/until.js";

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
    "/feed": {
      get: {
        operationId: "feed",
        parameters: [{ name: "Last-Event-ID", in: "header", schema: { type: "string" } }],
        ...toResponses("text/event-stream", { oneOf: [TOKEN, DONE] }),
      },
    },
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

const NO_HANDLERS = { handlers: {}, unimplemented: "501", errorBody: () => ({}) } as const;

type Reply = Readonly<Record<200 | 404, (body: unknown, options?: object) => unknown>>;
type Handle = (reply: Reply) => unknown;

const failures: unknown[] = [];
const problems: unknown[] = [];
const faulty: unknown[] = [];
let server: ReturnType<typeof createHttpServer> | undefined;
afterEach(async () => {
  failures.length = problems.length = faulty.length = 0;
  if (server) await close(server);
});

/** Starts a service whose operations all reply alike, and requests one of them. */
async function get(path: string, handle: Handle, options: object = {}): Promise<Response> {
  return fetch(`${await start(handle, options)}${path}`);
}

/** Starts a service whose operations all reply alike. */
async function start(handle: Handle, options: object = {}, middleware?: RequestHandler): Promise<string> {
  const errors = {
    errorBody: ({ code }: { readonly code: string }) => ({ code }),
    onFailure: ({ error }: { readonly error: unknown }) => void failures.push(error),
    onResponseProblem: ({ problems: found, item }: ResponseProblem) => {
      problems.push(...found);
      faulty.push(item);
    },
    ...options,
  };
  const handler = (_: unknown, reply: Reply) => handle(reply);
  const app = express();
  if (middleware !== undefined) app.use(middleware);
  app.use(
    createRouter(contract, {
      handlers: { feed: handler, chat: handler, lines: handler, records: handler },
      ...errors,
    }),
  );
  server = createHttpServer(app, errors);
  return `http://127.0.0.1:${await listen(server)}`;
}

/** A source that yields a text, and then waits until it is ended. */
function createEndless(format: "events" | "lines" = "lines") {
  const toItem = (text: string) => (format === "lines" ? { text } : { event: "token", data: { text } });
  const events = new EventEmitter();
  const ended = once(events, "end");
  async function* list(signal: AbortSignal) {
    try {
      yield toItem("a");
      await once(events, "next", { signal });
      yield toItem("last");
    } finally {
      events.emit("end");
    }
  }
  return { list, ended, proceed: () => void events.emit("next") };
}

/** Reads a response until its text has a part. */
async function readUntil(response: Response, part: string) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes(part)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`The response ended: ${text}`);
    text += decoder.decode(value, { stream: true });
  }
  return { reader, text };
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
    "cache-control": "no-store, no-transform",
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

test.each(["event", "id", "retry"])("the %s of an event cannot have fields of another", async (name) => {
  const event = { event: "token", data: { text: "a" }, [name]: "1\ndata: x" };
  const response = await get("/chat", (reply) => reply[200]([event]), {
    responseValidation: "off",
    undeclaredProperties: "send",
  });
  expect(response.status).toBe(500);
  expect(failures).toEqual([new TypeError(`The ${name} of an event must not contain a line break`)]);
});

test("a stream without items is an empty body", async () => {
  const response = await get("/lines", (reply) => reply[200]([]));
  expect([response.status, await response.text()]).toEqual([200, ""]);
});

describe("an item that is not as declared", () => {
  test("is a 500 when it is the first", async () => {
    const response = await get("/lines", (reply) => reply[200]([{ text: 1 }]));
    expect(response.status).toBe(500);
    expect(problems).toEqual(["/text must be a string"]);
  });

  test("breaks the connection later, so that the stream does not seem complete", async () => {
    const response = await get("/lines", (reply) => reply[200]([{ text: "a" }, { text: 1 }]));
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(failures).toEqual([
      new Error('Item 1 of the response of "lines" is not as declared: /text must be a string'),
    ]);
  });

  test("is sent and reported with `report`", async () => {
    const response = await get("/lines", (reply) => reply[200]([{ text: 1 }, { text: "a" }]), {
      responseValidation: "report",
    });
    expect(await response.text()).toBe('{"text":1}\n{"text":"a"}\n');
    expect(problems).toEqual(["/text must be a string"]);
  });

  test.each([
    [{ responseValidation: "report", itemSampling: 2 }, [0, 2, 4], ["/text must be a string"]],
    [{ responseValidation: "report", responseSampling: 3 }, [0, 3], ["/text must be a string"]],
    [{ responseValidation: "report" }, [0, 1, 2, 3, 4], ["/text must be a string"]],
    [{ responseValidation: "off", itemSampling: 4 }, [0, 4], []],
  ])("is reported with its index when it is sampled, with %j", async (options, indexes, found) => {
    const items = Array.from({ length: 5 }, () => ({ text: 1, secret: 2 }));
    const response = await get("/lines", (reply) => reply[200](items), options);
    expect(await response.text()).toBe('{"text":1}\n'.repeat(5));
    expect(faulty).toEqual(indexes);
    expect(new Set(problems)).toEqual(new Set(["/secret is not declared", ...found]));
  });

  test("needs a sampling that is a whole number", () => {
    expect(() => createRouter(contract, { ...NO_HANDLERS, itemSampling: 0 })).toThrow(
      new RangeError("itemSampling must be a whole number from 1 on, found 0"),
    );
  });

  test("names the kind of event that it is closest to", async () => {
    await get("/chat", (reply) => reply[200]([{ event: "token", data: {} }]));
    expect(problems).toEqual(["/data/text is required"]);
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

const brokenGetter = {
  get done(): boolean {
    throw new Error("no done");
  },
};

test.each<[string, () => unknown]>([
  ["a number", () => 5],
  ["nothing", () => undefined],
  ["a promise of a number", () => Promise.resolve(5)],
  ["a promise of nothing", () => Promise.resolve()],
  ["an object that throws", () => brokenGetter],
  ["a promise of an object that throws", () => Promise.resolve(brokenGetter)],
  [
    "a promise that throws",
    () => ({
      then() {
        throw new Error("no promise");
      },
    }),
  ],
])("an iterator whose `next` returns %s breaks the stream", async (_, next) => {
  let count = 0;
  const first = Promise.resolve({ done: false, value: { text: "a" } });
  const source = { [Symbol.asyncIterator]: () => ({ next: () => ((count += 1) === 1 ? first : next()) }) };
  const response = await get("/lines", (reply) => reply[200](source));
  await expect(response.text()).rejects.toThrow("terminated");
  expect(failures).toEqual([expect.any(Error)]);
});

test.each([
  ["/records", undefined],
  ["/records", () => "text"],
  ["/records", { toJSON: () => undefined }],
  ["/chat", { event: "token", data: Symbol("text") }],
])("%s without an item that JSON can have is a failure: %p", async (path, item) => {
  const response = await get(path, (reply) => reply[200]([item]), { responseValidation: "off" });
  expect(response.status).toBe(500);
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

describe("closing the server", () => {
  test("ends a stream that its client can continue, and says when", async () => {
    const { list, ended } = createEndless("events");
    const response = await fetch(`${await start((reply) => reply[200](list), { streamRetry: 700 })}/feed`);
    const { reader } = await readUntil(response, "a");
    const closed = new Promise((resolve) => server?.close(resolve));
    const rest = await reader.read();
    expect(new TextDecoder().decode(rest.value)).toBe("retry: 700\n\n");
    await expect(reader.read()).rejects.toThrow("terminated");
    await Promise.all([ended, closed]);
    expect(failures).toEqual([]);
  });

  test("lets other streams end in order", async () => {
    const { list, ended, proceed } = createEndless("events");
    const response = await get("/chat", (reply) => reply[200](list));
    const { reader } = await readUntil(response, "a");
    const closed = new Promise((resolve) => server?.close(resolve));
    const { value } = (await reader.read()) as { readonly value: Uint8Array };
    proceed();
    const rest = (await reader.read()) as { readonly value: Uint8Array };
    expect(Buffer.concat([value, rest.value]).toString()).toBe(
      'retry: 1000\n\nevent: token\ndata: {"text":"last"}\n\n',
    );
    expect((await reader.read()).done).toBe(true);
    server?.closeIdleConnections();
    await Promise.all([ended, closed]);
  });

  test("ends them after a time", async () => {
    const { list, ended } = createEndless();
    const response = await get("/lines", (reply) => reply[200](list), { streamGrace: 1 });
    const { reader } = await readUntil(response, "a");
    const closed = new Promise((resolve) => server?.close(resolve));
    await expect(reader.read()).rejects.toThrow("terminated");
    await Promise.all([ended, closed]);
  });

  test("does not wait for clients that do not read", async () => {
    const text = "x".repeat(100_000);
    let pulled = 0;
    const url = await start(
      (reply) =>
        reply[200](function* () {
          for (; ; pulled += 1) yield { event: "token", data: { text }, text };
        }),
      { streamGrace: 1, sendTimeout: 0, undeclaredProperties: "send" },
    );
    const clients = ["/feed", "/lines"].map((path) => {
      const client = connect(Number(new URL(url).port), "127.0.0.1").pause();
      client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      return client.on("error", () => undefined);
    });
    let before = -1;
    while (before !== pulled) {
      before = pulled;
      await wait(200);
    }
    await new Promise((resolve) => server?.close(resolve));
    for (const client of clients) client.destroy();
  });

  test("responds 503 to a request that waits for its first item", async () => {
    const events = new EventEmitter();
    const waiting = once(events, "waiting");
    const responding = get("/feed", (reply) =>
      reply[200](async function* (signal: AbortSignal) {
        events.emit("waiting");
        await once(events, "next", { signal });
        yield {};
      }),
    );
    await waiting;
    server?.close();
    expect((await responding).status).toBe(503);
  });
});

describe("a limit of open streams", () => {
  const toCaller = ({ request }: { readonly request: Request }) => request.headers["x-key" as never];
  const ask = (url: string, key: string) => fetch(`${url}/lines`, { headers: { "x-key": key } });

  test("is a 429 for a caller that has too many, until one of them ends", async () => {
    const { list, ended } = createEndless();
    const url = await start((reply) => reply[200](list), { streams: { maxPerCaller: 1, toCaller } });
    const { reader } = await readUntil(await ask(url, "one"), "a");
    const refused = await ask(url, "one");
    expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toEqual([
      429,
      "1",
      { code: "too_many_requests" },
    ]);
    const other = await readUntil(await ask(url, "two"), "a");
    await reader.cancel();
    await ended;
    await until(async () => {
      const again = await ask(url, "one");
      await again.body?.cancel();
      return again.status === 200;
    });
    await other.reader.cancel();
  });

  test("is a 503 when there are too many in all, and ends the iteration that is not sent", async () => {
    const url = await start(
      (reply) => {
        const { list, ended } = createEndless();
        return reply[200]({ [Symbol.asyncIterator]: () => list(AbortSignal.abort()), ended });
      },
      { streams: { max: 0 } },
    );
    expect((await ask(url, "one")).status).toBe(503);
  });
});

test("the time limits of a request and of an idle connection do not end a stream", async () => {
  const { list, proceed } = createEndless();
  const response = await get("/lines", (reply) => reply[200](list), {
    sendTimeout: 20,
    requestTimeout: 20,
    keepAliveTimeout: 20,
  });
  const { reader } = await readUntil(response, "a");
  await once(server as EventEmitter, "timeout");
  proceed();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('{"text":"last"}\n');
});

test("compression does not hold items back", async () => {
  const { list, proceed } = createEndless();
  const compress: RequestHandler = (_, response, next) => {
    const gzip = createGzip();
    const write = response.write.bind(response);
    response.setHeader("Content-Encoding", "gzip");
    gzip.on("data", (chunk: Buffer) => write(chunk));
    const end = response.end.bind(response);
    gzip.on("end", () => end());
    Object.assign(response, {
      write: (text: string) => gzip.write(text),
      end: (text: string) => gzip.end(text),
      flush: () => {
        gzip.flush();
      },
    });
    next();
  };
  const response = await fetch(`${await start((reply) => reply[200](list), {}, compress)}/lines`);
  const { reader } = await readUntil(response, '{"text":"a"}\n');
  proceed();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('{"text":"last"}\n');
});

test("a source that is always ready leaves time for other requests", async () => {
  function* list() {
    for (;;) yield { text: "a" };
  }
  const url = await start((reply) => reply[200](list()));
  const response = await fetch(`${url}/lines`);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const leaving = new AbortController();
  const reading = (async () => {
    while (!leaving.signal.aborted) await reader.read();
    await reader.cancel();
  })();
  expect((await fetch(`${url}/none`)).status).toBe(404);
  leaving.abort();
  await reading;
});

describe("an observer hears of a stream, of its items and of its end:", () => {
  const list = (texts: readonly unknown[]) => texts.map((text) => ({ text }));
  test.each<[string, number, Handle, ((response: Response) => unknown) | undefined]>([
    ["complete", 2, (reply) => reply[200](list(["a", "b"])), undefined],
    ["failed", 1, (reply) => reply[200](list(["a", 1])), undefined],
    ["failed", 0, (reply) => reply[200](list([1])), undefined],
    ["left", 1, (reply) => reply[200](createEndless().list), (response) => response.body?.cancel()],
    ["stopped", 1, (reply) => reply[200](createEndless().list), () => server?.close()],
  ])("%s after %d items", async (end, items, handle, leave) => {
    const events = new EventEmitter();
    const answered = once(events, "answered");
    const told: unknown[] = [];
    const observe = () => ({
      enter: () => undefined,
      streamBegan: (stream: ObservedStream) => told.push("began", stream.items, stream.end),
      streamEnded: (stream: ObservedStream) => {
        const { duration } = stream;
        told.push("ended", stream.items, stream.end, duration === stream.duration && duration > 0);
      },
      answered: () => events.emit("answered"),
    });
    const response = await get("/lines", handle, { observe, streamGrace: 1 });
    if (leave) leave(response);
    else await response.text().catch(() => undefined);
    await answered;
    expect(told).toEqual(["began", 0, undefined, "ended", items, end, true]);
  });
});

test("a header that cannot be sent is a 500", async () => {
  const options = { headers: { "Transfer-Encoding": "chunked" } };
  const response = await get("/chat", (reply) => reply[200](CHAT, options));
  expect(response.status).toBe(500);
});

test("curl -N prints each event when it is sent", async () => {
  const { list, ended, proceed } = createEndless("events");
  const curl = spawn("curl", ["--silent", "--no-buffer", `${await start((reply) => reply[200](list))}/chat`]);
  let text = "";
  for await (const chunk of curl.stdout) {
    text += String(chunk);
    if (text === 'event: token\ndata: {"text":"a"}\n\n') proceed();
  }
  expect(text).toBe('event: token\ndata: {"text":"a"}\n\nevent: token\ndata: {"text":"last"}\n\n');
  await ended;
});
