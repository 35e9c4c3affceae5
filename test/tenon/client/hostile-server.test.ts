// @thorough: reads bodies that do not end.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import {
  BrokenStreamError,
  type ClientContract,
  type ClientOperation,
  createBareContractClient,
  defineCall,
  definePagedCall,
  PaginationError,
  readBytes,
  readItems,
  readParts,
  UndeclaredStatusError,
  UnreadableBodyError,
} from "../../../src/tenon/client/index.js";
import { close, listen } from "../../support/http.js";

type Options = Parameters<typeof createBareContractClient>[1];
type Respond = (response: ServerResponse, request: IncomingMessage) => void;

const CONTRACT: ClientContract = { tenon: "0.1", securitySchemes: {}, security: [] };
const OPERATION: ClientOperation = { id: "read", method: "get", path: "/", responses: [200] };
const EVENTS: ClientOperation = {
  ...OPERATION,
  responses: [[200, "text/event-stream"]],
  items: { "text/event-stream": [{ json: false }] },
  readItems,
};
const LINES: ClientOperation = {
  ...OPERATION,
  responses: [[200, "application/jsonl"]],
  items: { "application/jsonl": [] },
  readItems,
};
const MIXED = "multipart/mixed";
const toParts = (whole: boolean): ClientOperation => ({
  ...OPERATION,
  responses: [[200, MIXED]],
  parts: { received: { [MIXED]: { rest: { mediaTypes: ["text/plain"] }, ...(whole && { whole }) } } },
  readParts,
});
const BYTES: ClientOperation = {
  ...OPERATION,
  responses: [[200, "application/octet-stream"]],
  readBytes,
};

let server: ReturnType<typeof createServer> | undefined;
afterEach(async () => {
  jest.restoreAllMocks();
  if (server) await close(server);
});

async function serve(respond: Respond, options: Partial<Options> = {}) {
  server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    respond(response, request);
  });
  const baseUrl = `http://127.0.0.1:${await listen(server)}`;
  return createBareContractClient(CONTRACT, { baseUrl, retry: false, ...options });
}

/** Resolves to the response to the next request. */
async function nextResponse(): Promise<ServerResponse> {
  if (server === undefined) throw new Error("No server listens");
  const [, response] = (await once(server, "request")) as [IncomingMessage, ServerResponse];
  return response;
}

/** Sends a text again and again, until the client leaves. */
function endless(contentType: string, first: string, text: string, status = 200): Respond {
  const chunk = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));
  return (response) => {
    response.writeHead(status, { "content-type": contentType }).write(first);
    const send = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", send);
    send();
  };
}

async function listAll(items: unknown): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const item of items as AsyncIterable<unknown>) found.push(item);
  return found;
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Collects garbage also after the finalizers of the garbage. */
async function collect(): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    collectGarbage();
    await new Promise(setImmediate);
  }
}

// Node forgets the signals of requests that it has collected as garbage (nodejs/undici#4068).
describe("a call is aborted, also when its request is garbage,", () => {
  const begin: Respond = (response) => {
    response.writeHead(200, { "content-type": "application/json" }).write("[");
  };

  test.each([
    ["before the response", () => undefined, OPERATION],
    ["in a body", begin, OPERATION],
    ["in a body of an undeclared response", begin, { ...OPERATION, responses: [] }],
    [
      "in a file",
      (response: ServerResponse) =>
        response.writeHead(200, { "content-type": "application/octet-stream" }).write("a"),
      BYTES,
    ],
  ] as const)("%s", async (_, respond, operation) => {
    const client = await serve(respond);
    const arrival = nextResponse();
    const ending = new AbortController();
    const called = defineCall(operation)(client, { signal: ending.signal }).then(
      () => "resolved",
      (error: unknown) => String(error),
    );
    const response = await arrival;
    const closed = once(response, "close");
    await collect();
    ending.abort(new Error("Enough"));
    expect(await called).toBe("Error: Enough");
    if (response.headersSent) await closed;
  });

  test.each([
    ["in a stream of events", EVENTS, "text/event-stream", "data: a\n\n"],
    ["in a stream of lines", LINES, "application/jsonl", "1\n"],
    ["in a stream of bytes", BYTES, "application/octet-stream", "a"],
  ])("%s", async (_, operation, type, first) => {
    const client = await serve((response) => response.writeHead(200, { "content-type": type }).write(first));
    const arrival = nextResponse();
    const ending = new AbortController();
    const { data } = await defineCall(operation)(client, { signal: ending.signal, parseAs: "stream" });
    const response = await arrival;
    const closed = once(response, "close");
    const rest = listAll(data).then(
      () => "resolved",
      (error: unknown) => String(error),
    );
    await collect();
    ending.abort(new Error("Enough"));
    expect(await rest).toBe("Error: Enough");
    await closed;
  });
});

describe("a service takes no more memory than the client allows:", () => {
  const JSON_BODY = OPERATION;
  const TEXT = { ...OPERATION, responses: [[200, "text/plain"]] } satisfies ClientOperation;

  test.each([
    ["JSON without an end", JSON_BODY, "application/json", '"', "a"],
    ["text without an end", TEXT, "text/plain", "", "a"],
    ["bytes without an end", BYTES, "application/octet-stream", "", "a"],
  ])("%s", async (_, operation, type, first, text) => {
    const client = await serve(endless(type, first, text), { maxBody: 100_000 });
    const arrival = nextResponse();
    const called = defineCall(operation)(client);
    const response = await arrival;
    const closed = once(response, "close");
    await expect(called).rejects.toThrow(UnreadableBodyError);
    await expect(called).rejects.toThrow("maxBody");
    await closed;
  });

  test("compressed JSON", async () => {
    const body = gzipSync(Buffer.alloc(200_000, " "));
    const client = await serve(
      (response) =>
        response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(body),
      { maxBody: 100_000 },
    );
    await expect(defineCall(JSON_BODY)(client)).rejects.toThrow("has more than 100000 bytes");
  });

  test("a body of an undeclared response without an end", async () => {
    const client = await serve(endless("text/html", "", "a", 418));
    const error: unknown = await defineCall(OPERATION)(client).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UndeclaredStatusError);
    expect((error as UndeclaredStatusError).body).toHaveLength(65_536);
  });

  test.each([
    ["a line of JSON without an end", LINES, "application/jsonl", "1\n", "1"],
    ["a line of an event without an end", EVENTS, "text/event-stream", "data: a\n\ndata: ", "a"],
    ["an event without an end", EVENTS, "text/event-stream", "data: a\n\n", "data: a\n"],
  ])("%s", async (_, operation, type, first, text) => {
    const client = await serve(endless(type, first, text), { maxBody: 100_000 });
    const { data } = await defineCall(operation)(client);
    const error: unknown = await listAll(data).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BrokenStreamError);
    expect((error as BrokenStreamError).count).toBe(1);
    expect((error as BrokenStreamError).message).toContain("an item has more than 100000 characters");
  });

  const PART = `\r\nContent-Type: text/plain\r\n\r\n`;

  test.each([
    ["a part without an end", `--b${PART}a\r\n--b${PART}`, "a", 1],
    ["bytes before the first part without an end", "", "a", 0],
    ["bytes after the last part without an end", `--b${PART}a\r\n--b--`, "a", 1],
  ])("%s", async (_, first, text, count) => {
    const client = await serve(endless(`${MIXED}; boundary=b`, first, text), { maxBody: 100_000 });
    const arrival = nextResponse();
    const { data } = await defineCall(toParts(false))(client);
    const response = await arrival;
    const closed = once(response, "close");
    const error: unknown = await listAll(data).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BrokenStreamError);
    expect((error as BrokenStreamError).count).toBe(count);
    expect((error as BrokenStreamError).message).toContain("a part has more than 100000 bytes");
    await closed;
  });

  test("a list of parts without an end", async () => {
    const client = await serve(endless(`${MIXED}; boundary=b`, "--b", `${PART}a\r\n--b`), {
      maxBody: 100_000,
    });
    await expect(defineCall(toParts(true))(client)).rejects.toThrow("the list has more than 100000 bytes");
  });

  test("many parts, of which none is larger than the limit, are read", async () => {
    const part = `--b${PART}${"a".repeat(90_000)}\r\n`;
    const client = await serve(
      (response) =>
        response.writeHead(200, { "content-type": `${MIXED}; boundary=b` }).end(`${part.repeat(5)}--b--\r\n`),
      { maxBody: 100_000 },
    );
    const { data } = await defineCall(toParts(false))(client);
    expect(await listAll(data)).toHaveLength(5);
  });

  test("an item as large as the limit is read, and so are more of them", async () => {
    const text = `data: ${"a".repeat(90_000)}\n\n: ${"b".repeat(90_000)}\n`.repeat(5);
    const client = await serve(
      (response) => response.writeHead(200, { "content-type": "text/event-stream" }).end(text),
      { maxBody: 100_000 },
    );
    const { data } = await defineCall(EVENTS)(client);
    expect(await listAll(data)).toHaveLength(5);
  });
});

describe("a service that asks for a long wait is not called at once:", () => {
  test.each([
    ["`retry`", "retry: 99999999999\n", (response: ServerResponse) => response.destroy()],
    [
      "`Retry-After`",
      "",
      (response: ServerResponse) => response.writeHead(503, { "retry-after": "99999999999" }).end(),
    ],
  ])("%s", async (_, retry, respondNext) => {
    const delays: number[] = [];
    const set = jest.spyOn(globalThis, "setTimeout");
    let isFirst = true;
    const client = await serve((response) => {
      if (!isFirst) {
        respondNext(response);
        return;
      }
      isFirst = false;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`${retry}id: 1\ndata: a\n\n`, () => response.destroy());
    });
    const ending = new AbortController();
    const onReconnect = ({ delay }: { readonly delay: number }): void => {
      delays.push(delay);
      // The wait begins after this call.
      if (delay > 2 ** 31) queueMicrotask(ending.abort.bind(ending, new Error("Enough")));
    };
    const { data } = await defineCall(EVENTS)(client, {
      signal: ending.signal,
      reconnect: { delay: 1, onReconnect },
    });
    await expect(listAll(data)).rejects.toThrow("Enough");
    expect(delays.at(-1)).toBeGreaterThan(2 ** 31);
    const timers = set.mock.calls.map(([, delay]) => delay ?? 0);
    expect(timers).toContain(2 ** 31 - 1);
    expect(timers.filter((delay) => delay > 2 ** 31 - 1)).toEqual([]);
  });

  test("a timeout that is longer than a timer is none", async () => {
    const client = await serve((response) =>
      response.writeHead(200, { "content-type": "application/json" }).end("1"),
    );
    for (const timeout of [Infinity, 2 ** 32]) {
      const { data } = await defineCall(OPERATION)(client, { timeout });
      expect(data).toBe(1);
    }
  });
});

test.each([
  ["too long", "é".repeat(100_000)],
  ["not allowed in a header", "a\u0001"],
])("an event's ID that is %s ends the stream", async (_, id) => {
  const client = await serve((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`id: ${id}\ndata: a\n\n`, () => response.destroy());
  });
  const { data } = await defineCall(EVENTS)(client);
  const error: unknown = await listAll(data).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BrokenStreamError);
  expect((error as Error).message).toContain("cannot be sent in a header");
});

describe("pages", () => {
  const listItems = definePagedCall({ ...OPERATION, pages: {} });

  /** A service whose pages have a next one, up to a number of them. */
  function servePages(last: number, toItems: (page: number) => string) {
    let page = 0;
    const fetch = (): Promise<Response> => {
      page += 1;
      const link = page < last && { link: `</?after=${page}>; rel="next"` };
      const headers = { "content-type": "application/json", ...link };
      return Promise.resolve(new Response(toItems(page), { headers }));
    };
    const client = createBareContractClient(CONTRACT, { baseUrl: "http://service.example", fetch });
    return { client, count: () => page };
  }

  test("without items, which always have a next one, come to an end", async () => {
    const { client, count } = servePages(Infinity, () => "[]");
    await expect(listAll(listItems.items(client))).rejects.toThrow(PaginationError);
    expect(count()).toBe(1_000);
  });

  test("of a filter may be empty between others", async () => {
    const { client, count } = servePages(1_500, (page) => (page % 700 === 0 ? "[1]" : "[]"));
    expect(await listAll(listItems.items(client))).toEqual([1, 1]);
    expect(count()).toBe(1_500);
  });
});
