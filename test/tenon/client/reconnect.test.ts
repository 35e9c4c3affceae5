import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "@jest/globals";
import {
  BrokenStreamError,
  createContractClient,
  readItems,
  type ReconnectAttempt,
  type ReconnectOptions,
} from "../../../src/tenon/client/index.js";
import { type Data, toCalls } from "../../support/calls.js";
import { close, listen } from "../../support/http.js";

/** One connection: the text that it sends, how it ends, and its status. */
interface Connection {
  readonly text?: string;
  readonly end?: "broken" | "in order" | "never";
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Item {
  readonly id?: string;
  readonly event?: string;
  readonly data: unknown;
}

interface Paths {
  "/changes": Record<
    "get" | "post",
    {
      parameters: object;
      responses: {
        200: { content: { "text/event-stream": AsyncIterable<Item> } };
        default: { content: object };
      };
    }
  >;
}

const OPERATION: Data = {
  responses: [[200, "text/event-stream"], "default"],
  items: { "text/event-stream": [{ json: false, text: "[DONE]" }, { json: true }] },
  readItems,
};
const EVENTS = ["", 'id: 1\ndata: "one"\n\n', 'id: 2\ndata: "two"\n\n', 'id: 3\ndata: "three"\n\n'] as const;
const QUICK = { delay: 1, maxDelay: 1 };

let server: ReturnType<typeof createServer> | undefined;
afterEach(async () => {
  if (server) await close(server);
});

/** Serves the connections in their order; all further ones are refused without a response. */
async function follow(
  connections: readonly Connection[],
  reconnect: ReconnectOptions | false = QUICK,
  { method = "GET", signal, operation = OPERATION }: Call = {},
) {
  const asked: (string | undefined)[] = [];
  const attempts: ReconnectAttempt[] = [];
  server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { text = "", end = "broken", status = 200, headers } = connections[asked.length] ?? { status: 0 };
    asked.push(request.headers["last-event-id"] as string | undefined);
    if (status === 0) return void request.socket.destroy();
    if (status === 204) return void response.writeHead(204).end();
    response.writeHead(status, {
      "content-type": status === 200 ? "text/event-stream" : "text/plain",
      ...headers,
    });
    response.write(text === "" ? ":\n\n" : text, () => {
      if (end === "in order") response.end();
      if (end === "broken") response.destroy();
    });
  });
  const paths = { "/changes": { get: operation, post: operation } };
  const client = createContractClient<Paths>(
    { tenon: "0.1", securitySchemes: {}, security: [] },
    toCalls(paths),
    { baseUrl: `http://127.0.0.1:${await listen(server)}`, reconnect: false },
  );
  const { data } = await client[method]("/changes", {
    ...(signal && { signal }),
    reconnect: reconnect && {
      ...reconnect,
      onReconnect: (attempt) => {
        attempts.push(attempt);
        reconnect.onReconnect?.(attempt);
      },
    },
  });
  const found: unknown[] = [];
  const read = async (): Promise<unknown[]> => {
    for await (const item of data ?? []) found.push(item.data);
    return found;
  };
  const failure = async () => (await read().catch((error: unknown) => error)) as BrokenStreamError;
  return { read, failure, found, asked, attempts };
}

interface Call {
  readonly method?: "GET" | "POST";
  readonly signal?: AbortSignal;
  readonly operation?: Data;
}

describe("an event stream that breaks", () => {
  test("goes on after the last event, and each event comes once", async () => {
    const { read, asked } = await follow([
      { text: EVENTS[1] + EVENTS[2] },
      // A server that counts from the event itself, and one that begins anew.
      { text: EVENTS[2] },
      { text: EVENTS.join(""), end: "in order" },
    ]);
    expect(await read()).toEqual(["one", "two", "three"]);
    expect(asked).toEqual([undefined, "2", "2"]);
  });

  test("begins anew when it had no event yet", async () => {
    const { read, asked } = await follow([{}, { text: EVENTS[1], end: "in order" }]);
    expect(await read()).toEqual(["one"]);
    expect(asked).toEqual([undefined, undefined]);
  });

  test("goes on with POST when the operation declares Last-Event-ID, and an ID can be any text", async () => {
    const { read, asked } = await follow(
      [{ text: 'id: ü€\ndata: "one"\n\n' }, { text: EVENTS[2], end: "in order" }],
      QUICK,
      { method: "POST", operation: { ...OPERATION, resumes: true } },
    );
    expect(await read()).toEqual(["one", "two"]);
    expect(asked.map((id) => id && Buffer.from(id, "latin1").toString())).toEqual([undefined, "ü€"]);
  });

  test("goes on while the service is not there for the moment, after the times that the server names", async () => {
    const { read, attempts } = await follow([
      { text: `retry: 20\n\n${EVENTS[1]}` },
      { status: 503, headers: { "retry-after": "1" } },
      { status: 0 },
      { text: EVENTS[2], end: "in order" },
    ]);
    expect(await read()).toEqual(["one", "two"]);
    expect(attempts.map(({ attempt, lastEventId }) => [attempt, lastEventId])).toEqual([
      [1, "1"],
      [2, "1"],
      [3, "1"],
    ]);
    expect(attempts.map(({ delay }) => Math.floor(delay / 20) * 20)).toEqual([20, 1_020, 1_020]);
  });

  test("is an error after a number of attempts without a new event", async () => {
    const { failure, attempts } = await follow([{ text: EVENTS[1] }, {}, { text: EVENTS[1] }, {}], {
      ...QUICK,
      attempts: 3,
    });
    const error = await failure();
    expect(error).toBeInstanceOf(BrokenStreamError);
    expect([error.count, error.message]).toEqual([
      1,
      "The stream of get /changes broke after 1 items: 3 attempts to connect again failed",
    ]);
    expect(attempts).toHaveLength(3);
  });

  test("has that many attempts again after each new event", async () => {
    const { read } = await follow(
      [{ text: EVENTS[1] }, { text: EVENTS[2] }, { text: EVENTS[3] }, { end: "in order" }],
      { ...QUICK, attempts: 1 },
    );
    expect(await read()).toEqual(["one", "two", "three"]);
  });

  test.each([
    ["the server refuses it", [{ text: EVENTS[1] }, { status: 401 }], "connecting again got 401 text/plain"],
    [
      "its events have no IDs",
      [{ text: 'data: "one"\n\n' }],
      "the connection was closed, and its events have no IDs",
    ],
    [
      "its ID was taken back",
      [{ text: EVENTS[1] }, { text: "id\n\n" }],
      "the connection was closed, and its events have no IDs",
    ],
    [
      "an event comes again after a new one",
      [{ text: EVENTS[1] }, { text: EVENTS[2] + EVENTS[1], end: "never" as const }],
      'the server sent the event "1" again',
    ],
    [
      "an event is not JSON",
      [{ text: `${EVENTS[1]}id: 2\ndata: (\n\n`, end: "in order" as const }],
      "is not JSON",
    ],
  ])("is an error when %s", async (_, connections, why) => {
    const { failure } = await follow(connections);
    const error = await failure();
    expect(error).toBeInstanceOf(BrokenStreamError);
    expect(error.message).toContain(why);
  });

  test.each<[string, ReconnectOptions | false, Call]>([
    ["`reconnect` is false", false, {}],
    ["the operation is a POST without Last-Event-ID", QUICK, { method: "POST" }],
  ])("is an error at once when %s", async (_, reconnect, call) => {
    const { failure, asked } = await follow([{ text: EVENTS[1] }], reconnect, call);
    expect((await failure()).message).toMatch(
      /^The stream of (get|post) \/changes broke after 1 items: the connection was closed$/,
    );
    expect(asked).toHaveLength(1);
  });
});

describe("an event stream that ends in order", () => {
  test("is not requested again", async () => {
    const { read, asked } = await follow([{ text: EVENTS[1], end: "in order" }]);
    expect(await read()).toEqual(["one"]);
    expect(asked).toHaveLength(1);
  });

  test.each<[string, Connection]>([
    ["its last event is the declared one", { text: `${EVENTS[2]}data: [DONE]\n\n`, end: "in order" }],
    ["the server has no more", { status: 204 }],
  ])("is requested again with `atEnd`, until %s", async (_, last) => {
    const { read, asked } = await follow([{ text: EVENTS[1], end: "in order" }, last], {
      ...QUICK,
      atEnd: true,
    });
    expect((await read())[0]).toBe("one");
    expect(asked).toEqual([undefined, "1"]);
  });
});

test("aborting ends the wait for the next attempt", async () => {
  const aborting = new AbortController();
  const reason = new Error("left");
  const onReconnect = () => {
    setImmediate(() => {
      aborting.abort(reason);
    });
  };
  const { failure, found } = await follow(
    [{ text: `retry: 3600000\n${EVENTS[1]}` }],
    { onReconnect },
    { signal: aborting.signal },
  );
  expect(await failure()).toBe(reason);
  expect(found).toEqual(["one"]);
});
