import express from "express";
import { describe, expect, test } from "@jest/globals";
import {
  createCallbacks,
  createEventMemory,
  createWebhooks,
  hmacSignature,
  type RefusedWebhook,
  type SignatureScheme,
  standardWebhooks,
  type UnknownWebhook,
  type WebhookOptions,
} from "../../../src/tenon/webhooks/index.js";
import { type Webhooks, webhooks } from "../../fixtures/webhooks/generated/server.js";
import { type Answer, send } from "../../support/http.js";
import { OTHER_SECRET, PAID, SECRET, serve, serveWith } from "./exchange.js";

const NOW = 1_700_000_000_000;
const scheme = standardWebhooks(SECRET);

interface Sent {
  readonly id?: string;
  readonly timestamp?: number;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly by?: SignatureScheme;
}

/** Sends a signed webhook. */
function post(port: number, body: unknown, sent: Sent = {}): Promise<Answer> {
  const {
    id = "msg_1",
    timestamp = NOW / 1_000,
    path = "/hooks/orderPaid",
    method = "POST",
    by = scheme,
  } = sent;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const signed = by.sign({ id, timestamp, body: Buffer.from(text) });
  const headers = { "Content-Type": "application/json", "X-Tenant": "3", ...signed, ...sent.headers };
  return send(port, path, { method, body: text, headers });
}

/** Serves a receiver that lists what its handlers get. */
async function receive(options: Partial<WebhookOptions<Webhooks>> = {}) {
  const received: unknown[] = [];
  const unknown: UnknownWebhook[] = [];
  const refused: RefusedWebhook["reason"][] = [];
  const receiver = createWebhooks(webhooks, {
    ...(options.signature === undefined && { secret: SECRET }),
    now: () => NOW,
    handlers: {
      orderPaid: ({ body, headers, query, id, timestamp }) => {
        // The types are the contract's; a receiver gets no defaults.
        const tenant: number = headers["x-tenant"];
        const attempt: number | undefined = query.attempt;
        // @ts-expect-error -- the contract declares no such header
        const other: unknown = headers["x-other"];
        received.push({
          ...{ item: body.data.item, id: body.data.id, event: id, timestamp },
          ...{ tenant, attempt, other },
        });
      },
      orderCounted: ({ body }, reply) => {
        received.push(body.count);
        return reply[200]({ total: body.count });
      },
    },
    unknown: (webhook) => {
      unknown.push(webhook);
    },
    onRefused: ({ reason }) => refused.push(reason),
    onFailure: () => undefined,
    ...options,
  });
  return { port: await serve(receiver), received, unknown, refused };
}

describe("a webhook", () => {
  test("is verified, validated and passed to its handler with the contract's types", async () => {
    const { port, received } = await receive();
    expect((await post(port, PAID, { path: "/hooks/orderPaid?attempt=2" })).status).toBe(204);
    expect(received).toEqual([
      {
        ...{ item: "Tea", id: 7, event: "msg_1", timestamp: new Date(NOW) },
        ...{ tenant: 3, attempt: 2, other: undefined },
      },
    ]);
  });

  test("gets the reply of its handler", async () => {
    const { port, received } = await receive();
    const { status, json } = await post(port, { count: 2 }, { path: "/hooks/orderCounted" });
    expect([status, json, received]).toEqual([200, { total: 2 }, [2]]);
  });

  test("with an undeclared reply gets 500", async () => {
    const total = "two" as unknown as number;
    const { port } = await receive({
      handlers: { orderCounted: (_webhook, reply) => reply[200]({ total }) },
    });
    expect((await post(port, { count: 2 }, { path: "/hooks/orderCounted" })).status).toBe(500);
  });

  test.each([
    [
      "a body that the contract does not allow",
      { type: "order.paid", data: { id: "7", item: "Tea" } },
      {},
      400,
    ],
    ["a body without a readOnly property", { type: "order.paid", data: { item: "Tea" } }, {}, 400],
    ["malformed JSON", "{", {}, 400],
    ["no declared header", PAID, { headers: { "X-Tenant": "three" } }, 400],
    ["an invalid query parameter", PAID, { path: "/hooks/orderPaid?attempt=0" }, 400],
    ["another media type", PAID, { headers: { "Content-Type": "text/plain" } }, 415],
    ["a content coding", PAID, { headers: { "Content-Encoding": "gzip" } }, 415],
    ["another method", PAID, { method: "PUT" }, 405],
    ["a body above the limit", { ...PAID, more: "x".repeat(1_048_576) }, {}, 413],
  ])("with %s is refused", async (_, body, sent, status) => {
    const { port, received } = await receive();
    expect((await post(port, body, sent)).status).toBe(status);
    expect(received).toEqual([]);
    // It was not handled, and may be sent again.
    expect((await post(port, PAID)).status).toBe(204);
  });

  test("may have properties and query parameters that the contract does not declare", async () => {
    const { port, received } = await receive();
    const body = { ...PAID, added: "later" };
    expect((await post(port, body, { path: "/hooks/orderPaid?tenant=2" })).status).toBe(204);
    expect(received).toHaveLength(1);
  });
});

describe("a forgery", () => {
  test.each([
    ["without a signature", "header", { headers: { "webhook-signature": "" } }],
    ["with another secret's signature", "signature", { by: standardWebhooks(OTHER_SECRET) }],
    ["from before the replay window", "timestamp", { timestamp: NOW / 1_000 - 301 }],
    ["from after the replay window", "timestamp", { timestamp: NOW / 1_000 + 301 }],
  ] as const)("%s gets 401 without a reason", async (_, reason, sent) => {
    const { port, received, unknown, refused } = await receive();
    const { status, json } = await post(port, PAID, sent);
    expect([status, json]).toEqual([
      401,
      { code: "unauthorized", message: "The signature of the webhook is missing or invalid", status: 401 },
    ]);
    expect([received, unknown, refused]).toEqual([[], [], [reason]]);
    const other = await post(port, PAID, { ...sent, path: "/hooks/other" });
    expect([other.status, other.text]).toEqual([status, JSON.stringify(json)]);
  });

  test("changes no byte of a signed body", async () => {
    const { port, received } = await receive();
    const headers = scheme.sign({
      id: "msg_1",
      timestamp: NOW / 1_000,
      body: Buffer.from(JSON.stringify(PAID)),
    });
    const spaced = JSON.stringify(PAID, null, 1);
    expect((await post(port, spaced, { headers })).status).toBe(401);
    expect(received).toEqual([]);
  });

  test.each([299, -299])("the clocks may differ by %d seconds", async (seconds) => {
    const { port } = await receive();
    expect((await post(port, PAID, { timestamp: NOW / 1_000 + seconds })).status).toBe(204);
  });
});

describe("an event that is sent again", () => {
  test("is handled once", async () => {
    const { port, received } = await receive();
    for (const timestamp of [NOW / 1_000, NOW / 1_000, NOW / 1_000 + 60])
      expect((await post(port, PAID, { timestamp })).status).toBe(204);
    expect(received).toHaveLength(1);
    expect((await post(port, PAID, { id: "msg_2" })).status).toBe(204);
    expect(received).toHaveLength(2);
  });

  test("is handled again after a failure", async () => {
    let calls = 0;
    const { port } = await receive({
      handlers: {
        orderPaid: (_webhook, reply) => {
          calls += 1;
          if (calls === 1) throw new Error("The disk is full");
          return calls === 2 ? reply[422]({ reason: "not yet" }) : reply[204]();
        },
      },
    });
    const statuses = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await post(port, PAID)).status);
    expect([statuses, calls]).toEqual([[500, 422, 204, 204], 3]);
  });

  test("while it is handled gets 503, and is handled once", async () => {
    let calls = 0;
    let end = (): void => undefined;
    const ending = new Promise<void>((resolve) => (end = resolve));
    let begin = (): void => undefined;
    const beginning = new Promise<void>((resolve) => (begin = resolve));
    const { port } = await receive({
      handlers: {
        orderPaid: async () => {
          calls += 1;
          begin();
          await ending;
        },
      },
    });
    const first = post(port, PAID);
    await beginning;
    const { status, headers } = await post(port, PAID);
    expect([status, headers["retry-after"]]).toEqual([503, "1"]);
    end();
    expect((await first).status).toBe(204);
    expect((await post(port, PAID)).status).toBe(204);
    expect(calls).toBe(1);
  });

  test("is known by the unsigned id of a scheme without one of its own", async () => {
    const github = hmacSignature({
      ...{ secrets: "secret", header: "X-Hub-Signature-256", value: "sha256={signature}" },
      idHeader: "X-GitHub-Delivery",
    });
    const { port, received } = await receive({ signature: github });
    for (const id of ["1", "1", "2"]) expect((await post(port, PAID, { by: github, id })).status).toBe(204);
    expect(received).toHaveLength(2);
  });
});

describe("an event without a handler", () => {
  test("is kept with its bytes, and gets 204", async () => {
    const { port, unknown, received } = await receive();
    const body = '{ "type": "order.lost" }';
    expect((await post(port, body, { path: "/hooks/orderLost" })).status).toBe(204);
    expect((await post(port, body, { path: "/hooks/orderLost" })).status).toBe(204);
    expect(unknown.map(({ name, body: bytes, id }) => [name, bytes.toString(), id])).toEqual([
      ["orderLost", body, "msg_1"],
    ]);
    // Declared, but without a handler.
    expect(
      (await post(port, "", { id: "msg_2", path: "/hooks/orderForgotten", method: "DELETE" })).status,
    ).toBe(204);
    expect(unknown.at(-1)?.name).toBe("orderForgotten");
    expect((await post(port, body, { id: "msg_3", path: "/hooks/constructor" })).status).toBe(204);
    expect((await post(port, body, { id: "msg_4", path: "/hooks/%zz" })).status).toBe(204);
    expect(received).toEqual([]);
  });

  test("is sent again if it cannot be kept", async () => {
    let calls = 0;
    const { port } = await receive({
      unknown: () => {
        calls += 1;
        if (calls === 1) throw new Error("The disk is full");
      },
    });
    expect((await post(port, PAID, { path: "/hooks/other" })).status).toBe(500);
    expect((await post(port, PAID, { path: "/hooks/other" })).status).toBe(204);
    expect(calls).toBe(2);
  });
});

describe("the event is named by", () => {
  test("a header", async () => {
    const { port, received, unknown } = await receive({ event: { header: "X-Event" } });
    const path = "/hooks";
    expect((await post(port, PAID, { path, headers: { "X-Event": "orderPaid" } })).status).toBe(204);
    expect((await post(port, PAID, { path, id: "msg_2" })).status).toBe(204);
    expect([received.length, unknown.map(({ name }) => name)]).toEqual([1, [undefined]]);
  });

  test("a property of the body, with the values that the contract declares", async () => {
    const { port, received, unknown } = await receive({ event: { property: "type" } });
    const path = "/hooks";
    expect((await post(port, PAID, { path })).status).toBe(204);
    expect((await post(port, { type: "orderCounted", count: 1 }, { path, id: "msg_2" })).status).toBe(200);
    expect((await post(port, { type: "order.lost" }, { path, id: "msg_3" })).status).toBe(204);
    expect((await post(port, [], { path, id: "msg_4" })).status).toBe(204);
    expect((await post(port, "{", { path, id: "msg_5" })).status).toBe(400);
    expect([received.length, unknown.map(({ name }) => name)]).toEqual([2, ["order.lost", undefined]]);
  });

  test("nothing for the only callback of an operation", async () => {
    const items: string[] = [];
    const receiver = createCallbacks(webhooks, "createOrder", {
      signature: "none",
      handlers: {
        orderShipped: ({ body }) => {
          items.push(body.item);
        },
      },
      unknown: () => undefined,
    });
    const port = await serve(receiver);
    expect((await post(port, { id: 7, item: "Tea" }, { path: "/hooks/7/shipped" })).status).toBe(204);
    expect(items).toEqual(["Tea"]);
  });
});

test("the errors have the given body", async () => {
  const failures: string[] = [];
  const { port } = await receive({
    errorBody: ({ code }) => ({ error: code }),
    onFailure: ({ problem }) => failures.push(problem.code),
  });
  expect((await post(port, PAID, { timestamp: 1 })).json).toEqual({ error: "unauthorized" });
  expect((await post(port, {})).json).toEqual({ error: "invalid_body" });
  expect(failures).toEqual(["unauthorized", "invalid_body"]);
});

test("a body that a parser has already read is an error of the service, not of the sender", async () => {
  const failures: string[] = [];
  const receiver = createWebhooks(webhooks, {
    secret: SECRET,
    handlers: {},
    unknown: () => undefined,
    onFailure: ({ error }) => failures.push((error as Error).message),
  });
  const port = await serveWith(express().use(express.json(), receiver));
  expect((await post(port, PAID)).status).toBe(500);
  expect(failures).toEqual([expect.stringContaining("body parsers come after")]);
});

test("raw bytes that a parser has already read are accepted", async () => {
  const receiver = createWebhooks(webhooks, {
    ...{ secret: SECRET, now: () => NOW, handlers: {} },
    unknown: () => undefined,
  });
  const port = await serveWith(express().use(express.raw({ type: "*/*" }), receiver));
  expect((await post(port, PAID)).status).toBe(204);
  expect((await post(port, PAID, { by: standardWebhooks(OTHER_SECRET) })).status).toBe(401);
});

test("options that contradict the contract or each other are refused at the start", () => {
  const unknown = (): void => undefined;
  expect(() =>
    createWebhooks(webhooks, { secret: SECRET, handlers: { other: unknown } as object, unknown }),
  ).toThrow('no webhook or callback "other"');
  expect(() => createWebhooks(webhooks, { handlers: {}, unknown })).toThrow("Set one of");
  expect(() =>
    createWebhooks(webhooks, { secret: SECRET, signature: "none", handlers: {}, unknown }),
  ).toThrow("Set one of");
});

test("handlers have the types of the contract", () => {
  const options: WebhookOptions<Webhooks> = {
    secret: SECRET,
    unknown: () => undefined,
    memory: createEventMemory(),
    handlers: {
      // @ts-expect-error orderCounted declares no success without a body, so a handler must return a reply
      orderCounted: () => undefined,
      orderPaid: ({ body }, reply) => {
        // @ts-expect-error the contract declares no such property
        expect(body.data.price).toBeUndefined();
        // @ts-expect-error a refusal has a reason
        return reply[422]({});
      },
    },
  };
  expect(Object.keys(options.handlers)).toEqual(["orderCounted", "orderPaid"]);
});
