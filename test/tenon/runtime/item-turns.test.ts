import { expect, test } from "@jest/globals";
import { startThings } from "./service.js";

const TEXT = "a".repeat(100);
const ITEMS = 20_000;

// A client that reads, and items that are ready, leave no other request its turn unless the stream pauses.
test.each<[string, (count: () => void) => Iterable<object> | AsyncIterable<object>]>([
  [
    "an iterable",
    function* (count) {
      for (let index = 0; index < ITEMS; index += 1) {
        count();
        yield { text: TEXT };
      }
    },
  ],
  [
    "an async iterable",
    async function* (count) {
      for (let index = 0; index < ITEMS; index += 1) {
        count();
        yield await Promise.resolve({ text: TEXT });
      }
    },
  ],
])("a stream of %s makes few items in a turn of the event loop", async (_, list) => {
  let made = 0;
  let most = 0;
  const nextTurn = () => {
    most = Math.max(most, made);
    made = 0;
  };
  const count = () => {
    if (made === 0) setImmediate(nextTurn);
    made += 1;
  };
  const content = { "application/jsonl": { "x-itemSchema": { properties: { text: { type: "string" } } } } };
  const responses = { "200": { description: "ok", content } };
  const things = await startThings({
    document: { openapi: "3.1.0", info: {}, paths: { "/": { get: { operationId: "list", responses } } } },
    handlers: { list: (_request, reply) => reply[200]?.(() => list(count)) },
  });
  try {
    const text = await (await fetch(`http://127.0.0.1:${things.port}/`)).text();
    expect(text).toHaveLength(ITEMS * (TEXT.length + '{"text":""}\n'.length));
    expect(most).toBeLessThan(1_000);
  } finally {
    await things.stop();
  }
});

test("the items of a request body are few in a turn of the event loop", async () => {
  let [read, most] = [0, 0];
  const nextTurn = () => {
    most = Math.max(most, read);
    read = 0;
  };
  const content = { "application/jsonl": { "x-itemSchema": { type: "integer" } } };
  const responses = { "200": { description: "ok", content: { "application/json": { schema: {} } } } };
  const operation = { operationId: "send", requestBody: { required: true, content }, responses };
  const things = await startThings({
    document: { openapi: "3.1.0", info: {}, paths: { "/": { post: operation } } },
    handlers: {
      send: async ({ body }, reply) => {
        let count = 0;
        for await (const item of body as AsyncIterable<number>) {
          if (read === 0) setImmediate(nextTurn);
          read += 1;
          count += item;
        }
        return reply[200]?.(count);
      },
    },
    options: { streamLimit: Infinity },
  });
  try {
    const headers = { "Content-Type": "application/jsonl" };
    const sent = await fetch(`http://127.0.0.1:${things.port}/`, {
      method: "POST",
      headers,
      body: "1\n".repeat(ITEMS),
    });
    expect(await sent.json()).toBe(ITEMS);
    expect(most).toBeLessThan(1_000);
  } finally {
    await things.stop();
  }
});
