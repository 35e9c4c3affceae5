import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { describe, expect, test } from "@jest/globals";
import {
  createCallbacks,
  createWebhooks,
  createWebhookSender,
  type DeliveryAttempt,
  standardWebhooks,
  type WebhookSenderOptions,
} from "../../../src/tenon/webhooks/index.js";
import { webhooks } from "../../fixtures/webhooks/generated/server.js";
import { close, listen } from "../../support/http.js";
import { until } from "../../support/until.js";
import {
  atEnd,
  createStore,
  openDatabase,
  OTHER_SECRET,
  PAID,
  SECRET,
  serve,
  serveWith,
} from "./exchange.js";
import { createSqliteEventStore } from "../../../src/tenon/webhooks/index.js";

const headers = { "X-Tenant": "3" };

/** Creates a sender that is stopped after the test, whose attempts follow one another at once. */
function createSender(options: Partial<WebhookSenderOptions> = {}) {
  const attempts: DeliveryAttempt[] = [];
  const sender = createWebhookSender(webhooks, {
    store: createStore(),
    ...(options.signature === undefined && { secret: SECRET }),
    allowHosts: ["127.0.0.1"],
    retry: { attempts: 3, delay: 1 },
    pollInterval: 20,
    onAttempt: (attempt) => attempts.push(attempt),
    ...options,
  });
  sender.start();
  atEnd(() => sender.stop());
  return { sender, attempts, listOutcomes: () => attempts.map(({ outcome, reason }) => [outcome, reason]) };
}

/** Serves a receiver that counts the events that it handles. */
async function receive(
  before: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
) {
  const handled: (string | undefined)[] = [];
  const receiver = createWebhooks(webhooks, {
    secret: SECRET,
    handlers: {
      orderPaid: ({ id }) => {
        handled.push(id);
      },
      orderCounted: (_webhook, reply) => reply[200]({ total: 1 }),
      orderForgotten: ({ id }) => {
        handled.push(id);
      },
    },
    unknown: () => undefined,
  });
  const port = await serve((request, response, next) => {
    if (!before(request, response)) receiver(request, response, next);
  });
  return { url: `http://127.0.0.1:${port}/hooks/orderPaid`, port, handled };
}

describe("an event", () => {
  test("is delivered signed, and removed from the store", async () => {
    const { url, handled } = await receive();
    const { sender, attempts } = createSender();
    const { id } = await sender.send.orderPaid({ url, headers, body: PAID, receiver: "client-1" });
    await until(() => attempts.length === 1);
    expect(handled).toEqual([id]);
    expect(attempts).toEqual([
      { id, name: "orderPaid", receiver: "client-1", attempt: 1, outcome: "delivered", reason: undefined },
    ]);
    expect(await sender.listDead()).toEqual([]);
  });

  test("may have another method and no body", async () => {
    const { url, handled } = await receive();
    const { sender, listOutcomes } = createSender();
    await sender.send.orderForgotten({ url: url.replace("orderPaid", "orderForgotten"), id: "msg_1" });
    await until(() => listOutcomes().length === 1);
    expect([listOutcomes(), handled]).toEqual([[["delivered", undefined]], ["msg_1"]]);
  });

  test("is signed with the secret of its receiver, which may change between attempts", async () => {
    const { url, handled } = await receive();
    const secrets = [OTHER_SECRET, SECRET];
    const { sender, listOutcomes } = createSender({
      signature: ({ receiver }) => {
        expect(receiver).toBe("client-1");
        return standardWebhooks(secrets.shift() ?? SECRET);
      },
    });
    await sender.send.orderPaid({ url, headers, body: PAID, receiver: "client-1", id: "msg_1" });
    await until(() => listOutcomes().length === 2);
    expect(listOutcomes()).toEqual([
      ["retry", "status 401"],
      ["delivered", undefined],
    ]);
    expect(handled).toEqual(["msg_1"]);
  });

  test("is stored before the receiver is called, and in the transaction of the caller", async () => {
    const { url, handled } = await receive();
    const database = openDatabase();
    const { sender, listOutcomes } = createSender({ store: createSqliteEventStore(database) });
    database.exec("begin");
    void sender.send.orderPaid({ url, headers, body: PAID, id: "msg_1" });
    database.exec("rollback");
    database.exec("begin");
    void sender.send.orderPaid({ url, headers, body: PAID, id: "msg_2" });
    database.exec("commit");
    await until(() => listOutcomes().length === 1);
    expect(handled).toEqual(["msg_2"]);
  });

  test("with a body, header or URL that is not valid is refused where it is sent", async () => {
    const { sender } = createSender();
    const url = "https://client.example/hooks";
    const send = sender.send.orderPaid;
    const wrong = { type: "order.paid", data: { id: 7, item: "" } } as const;
    expect(() => send({ url, headers, body: wrong })).toThrow('Cannot send "orderPaid": Field "data/item"');
    expect(() => send({ url, body: PAID })).toThrow("header X-Tenant is required");
    for (const other of ["a\r\nX-Other: b", "\u0100"])
      expect(() => send({ url, headers: { ...headers, "X-Note": other }, body: PAID })).toThrow(
        'header "X-Note" cannot be sent',
      );
    for (const id of ["", "a.b", "a b", "a".repeat(257)])
      expect(() => send({ url, headers, id, body: PAID })).toThrow("The id of a webhook must be");
    expect(() => send({ url: "client.example", headers, body: PAID })).toThrow(
      "The URL of the receiver is invalid",
    );
    expect(() => send({ url: "http://client.example", headers, body: PAID })).toThrow("must be https:");
    expect(() => send({ url: "https://user:secret@client.example", headers, body: PAID })).toThrow(
      "without credentials",
    );
    expect(() => send({ url: "https://192.168.0.1", headers, body: PAID })).toThrow("private address");
    // @ts-expect-error the body is required
    expect(() => send({ url, headers })).toThrow("the body is required");
    // @ts-expect-error the contract declares no such webhook
    expect(sender.send.orderLost).toBeUndefined();
    expect(await sender.listDead()).toEqual([]);
  });
});

test("a body that SQLite would cut off is refused", () => {
  const event = { id: "1", name: "note", method: "post", url: "https://a.example/", headers: {} };
  expect(() => createStore().add({ ...event, body: "a\0b", createdAt: 0, attempts: 0 })).toThrow("NUL");
});

describe("a failed attempt", () => {
  test("whose answer was lost is repeated with the same id, and handled once", async () => {
    let requests = 0;
    const { url, handled } = await receive((request, response) => {
      requests += 1;
      if (requests > 1) return false;
      // The handler runs, and its response is lost.
      response.write = response.end = (() => request.socket.destroy()) as never;
      return false;
    });
    const { sender, listOutcomes } = createSender();
    const { id } = await sender.send.orderPaid({ url, headers, body: PAID });
    await until(() => listOutcomes().length === 2);
    expect(listOutcomes()).toEqual([
      ["retry", "no response: ECONNRESET"],
      ["delivered", undefined],
    ]);
    expect([handled, requests]).toEqual([[id], 2]);
  });

  test("with 503 and Retry-After is repeated no earlier", async () => {
    const times: number[] = [];
    const { url } = await receive((_request, response) => {
      times.push(performance.now());
      if (times.length > 1) return false;
      response.writeHead(503, { "Retry-After": "1" }).end();
      return true;
    });
    const { sender, listOutcomes } = createSender();
    await sender.send.orderPaid({ url, headers, body: PAID });
    await until(() => listOutcomes().length === 2);
    expect(listOutcomes()).toEqual([
      ["retry", "status 503"],
      ["delivered", undefined],
    ]);
    const [first = 0, second = 0] = times;
    expect(second - first).toBeGreaterThan(990);
  });

  test("without a response in time is repeated", async () => {
    let requests = 0;
    const { url } = await receive(() => (requests += 1) === 1);
    // A slow machine may need more attempts.
    const { sender, listOutcomes } = createSender({ timeout: 50, retry: { attempts: 1_000, delay: 1 } });
    await sender.send.orderPaid({ url, headers, body: PAID });
    await until(() => listOutcomes().some(([outcome]) => outcome === "delivered"));
    expect(listOutcomes()[0]).toEqual(["retry", "no response: timeout"]);
  });

  test("without a response in time does not keep the events of other receivers waiting", async () => {
    let silent = 0;
    const { url } = await receive(() => (silent += 1) > 0);
    const good = await receive();
    // Its first request is still running when the event for the good receiver is delivered.
    const { sender, listOutcomes } = createSender({ timeout: 3_600_000, concurrency: 2 });
    for (let count = 0; count < 8; count += 1) await sender.send.orderPaid({ url, headers, body: PAID });
    for (let count = 0; count < 3; count += 1)
      await sender.send.orderPaid({ url: good.url, headers, body: PAID });
    await until(() => listOutcomes().length === 3);
    expect([silent, listOutcomes()]).toEqual([1, Array(3).fill(["delivered", undefined])]);
  });

  test("is repeated until the attempts are used up, and the dead letter can be delivered again", async () => {
    let isUp = false;
    const { url, handled } = await receive((_request, response) => {
      if (!isUp) response.writeHead(500, { "X-Secret": "leak" }).end("leak");
      return !isUp;
    });
    const { sender, listOutcomes } = createSender();
    const { id } = await sender.send.orderPaid({ url, headers, body: PAID });
    await until(() => listOutcomes().length === 4);
    expect(listOutcomes()).toEqual([
      ...Array<unknown>(3).fill(["retry", "status 500"]),
      ["dead", "status 500"],
    ]);
    const [dead] = await sender.listDead();
    expect(dead).toMatchObject({ id, name: "orderPaid", url, reason: "status 500", attempts: 4 });
    expect(JSON.parse(dead?.body ?? "")).toEqual(PAID);
    isUp = true;
    expect([await sender.redeliver("msg_0"), await sender.redeliver(id)]).toEqual([false, true]);
    await until(() => listOutcomes().length === 5);
    expect([handled, await sender.listDead(), await sender.redeliver(id)]).toEqual([[id], [], false]);
  });

  test("with 410 is not repeated", async () => {
    const { url } = await receive((_request, response) => {
      response.writeHead(410).end();
      return true;
    });
    const { sender, listOutcomes } = createSender();
    await sender.send.orderPaid({ url, headers, body: PAID });
    await until(() => listOutcomes().length === 1);
    expect(listOutcomes()).toEqual([["gone", "gone"]]);
    expect(await sender.listDead()).toHaveLength(1);
  });

  test("with a redirect is not followed", async () => {
    let followed = 0;
    const target = await serveWith((_request, response) => {
      followed += 1;
      response.end();
    });
    const { url } = await receive((_request, response) => {
      response.writeHead(307, { Location: `http://127.0.0.1:${target}/` }).end();
      return true;
    });
    const { sender, listOutcomes } = createSender({ retry: { attempts: 0 } });
    await sender.send.orderPaid({ url, headers, body: PAID });
    await until(() => listOutcomes().length === 1);
    expect([listOutcomes(), followed]).toEqual([[["dead", "status 307"]], 0]);
  });

  test("whose receiver switches protocols is repeated, and does not keep the sender from stopping", async () => {
    const { url } = await receive((_request, { socket }) => {
      socket?.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");
      return true;
    });
    const { sender, listOutcomes } = createSender({ retry: { attempts: 0 } });
    await sender.send.orderPaid({ url, headers, body: PAID });
    await until(() => listOutcomes().length === 1);
    expect(listOutcomes()).toEqual([["dead", "no response: ECONNRESET"]]);
  });

  test("for want of a signature is repeated, and reported", async () => {
    const { url } = await receive();
    const errors: unknown[] = [];
    const failure = new Error("The secrets cannot be read");
    const { sender, listOutcomes } = createSender({
      signature: () => {
        if (errors.length === 0) throw failure;
        return standardWebhooks(SECRET);
      },
      onError: (error) => errors.push(error),
    });
    await sender.send.orderPaid({ url, headers, body: PAID });
    await until(() => listOutcomes().length === 2);
    expect(listOutcomes()).toEqual([
      ["retry", "no signature"],
      ["delivered", undefined],
    ]);
    expect(errors).toEqual([failure]);
  });

  test("because the clocks differ is repeated until they agree", async () => {
    const { url, handled } = await receive();
    let isWrong = true;
    const { sender, listOutcomes } = createSender({
      now: () => Date.now() - (isWrong ? 3_600_000 : 0),
      onAttempt: () => undefined,
      store: createStore(),
    });
    expect(listOutcomes()).toEqual([]);
    await sender.send.orderPaid({ url, headers, body: PAID, id: "msg_1" });
    await until(async () => (await sender.listDead()).length === 1);
    isWrong = false;
    await sender.redeliver("msg_1");
    await until(() => handled.length === 1);
  });
});

test("a job delivers the events that are due, and ends", async () => {
  const { url, handled } = await receive((request, response) => {
    if (request.headers["webhook-id"] !== "msg_5") return false;
    response.writeHead(503).end();
    return true;
  });
  const outcomes: string[] = [];
  const sender = createWebhookSender(webhooks, {
    ...{ store: createStore(), secret: SECRET, allowHosts: ["127.0.0.1"], concurrency: 3 },
    retry: { delay: 3_600_000 },
    onAttempt: ({ id, outcome }) => outcomes.push(`${id} ${outcome}`),
  });
  const ids = Array.from({ length: 10 }, (_, index) => `msg_${index}`);
  for (const id of ids) await sender.send.orderPaid({ url, headers, body: PAID, id });
  expect(outcomes).toEqual([]);
  await sender.deliverDue();
  expect(outcomes.sort()).toEqual(ids.map((id) => `${id} ${id === "msg_5" ? "retry" : "delivered"}`));
  expect([...handled].sort()).toEqual(ids.filter((id) => id !== "msg_5"));
  await sender.stop();
});

test("many events are delivered, at most as many at a time as allowed", async () => {
  let open = 0;
  let most = 0;
  const { url, handled } = await receive((_request, response) => {
    open += 1;
    most = Math.max(most, open);
    response.once("close", () => (open -= 1));
    return false;
  });
  const { sender, attempts } = createSender({ concurrency: 4, pollInterval: 3_600_000 });
  await Promise.all(Array.from({ length: 100 }, () => sender.send.orderPaid({ url, headers, body: PAID })));
  await until(() => attempts.length === 100);
  expect(new Set(handled).size).toBe(100);
  expect(most).toBeLessThanOrEqual(4);
});

test("an attempt that is stopped is made again after the next start, by another sender of the store", async () => {
  const store = createStore();
  let isUp = false;
  let requests = 0;
  const { url, handled } = await receive(() => {
    requests += 1;
    return !isUp;
  });
  const { sender } = createSender({ store, timeout: 3_600_000 });
  await sender.send.orderPaid({ url, headers, body: PAID, id: "msg_1" });
  await until(() => requests === 1);
  await sender.stop();
  isUp = true;
  createSender({ store });
  await until(() => handled.length === 1);
});

test("a callback is sent to the URL in the request that it belongs to", async () => {
  const items: string[] = [];
  const receiver = createCallbacks(webhooks, "createOrder", {
    secret: SECRET,
    handlers: {
      orderShipped: ({ body }) => {
        items.push(body.item);
      },
    },
    unknown: () => undefined,
  });
  const port = await serve(receiver);
  const { sender, attempts } = createSender();
  const { orderShipped } = sender.callbacks.createOrder;
  const request = { body: { item: "Tea", callbackUrl: `http://127.0.0.1:${port}/hooks` } };
  await orderShipped({ exchange: { request }, body: { id: 7, item: "Tea" } });
  await until(() => attempts.length === 1);
  expect([attempts[0]?.name, items]).toEqual(["createOrder.orderShipped", ["Tea"]]);
  expect(() => orderShipped({ exchange: { request: { body: {} } }, body: { id: 7, item: "Tea" } })).toThrow(
    "The exchange has no value for {$request.body#/callbackUrl}",
  );
  expect(() =>
    orderShipped({
      exchange: { request: { body: { callbackUrl: "http://169.254.169.254/latest/meta-data" } } },
      body: { id: 7, item: "Tea" },
    }),
  ).toThrow("must be https:");
});

describe("the address of a receiver", () => {
  test("that resolves to a private one is never connected to", async () => {
    let connections = 0;
    const server = createServer().on("connection", () => (connections += 1));
    atEnd(() => close(server));
    const port = await listen(server);
    for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.1"]) {
      const { sender, listOutcomes } = createSender({
        // One public address beside it changes nothing.
        resolve: () =>
          Promise.resolve([
            { address: "203.0.114.1", family: 4 },
            { address, family: address.includes(":") ? 6 : 4 },
          ]),
      });
      await sender.send.orderPaid({ url: `https://client.example:${port}/`, headers, body: PAID });
      await until(() => listOutcomes().length === 1);
      expect(listOutcomes()).toEqual([["dead", "The host of the receiver has a private address"]]);
    }
    expect(connections).toBe(0);
    // The server would have seen one.
    await new Promise((resolve) => connect(port, "127.0.0.1").once("connect", resolve).unref());
    await until(() => connections === 1);
  });

  test("is resolved once for each attempt, so that a second resolution cannot change it", async () => {
    let resolutions = 0;
    const { sender, listOutcomes } = createSender({
      retry: { attempts: 0 },
      resolve: () => {
        resolutions += 1;
        return Promise.reject(Object.assign(new Error("not found"), { code: "ENOTFOUND" }));
      },
    });
    await sender.send.orderPaid({ url: "https://client.example/", headers, body: PAID });
    await until(() => listOutcomes().length === 1);
    expect([listOutcomes(), resolutions]).toEqual([[["dead", "no response: ENOTFOUND"]], 1]);
  });
});
