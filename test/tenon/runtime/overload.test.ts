// @slow: blocks the event loop.
import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import express from "express";
import { createHttpServer, type OverloadOptions } from "../../../src/tenon/runtime/index.js";
import { close, listen, send } from "../../support/http.js";
import { until } from "../../support/until.js";
import { startThings, type Things } from "./service.js";

describe("event-loop delay", () => {
  /** What one request keeps the event loop busy for, in milliseconds of the test's clock. */
  const WORK = 5;
  const LIMIT = 60;
  let server: Server;
  let port = 0;
  let time = 0;

  async function start(overload?: OverloadOptions): Promise<void> {
    const app = express();
    app.get("/healthz", (_, response) => response.json({}));
    app.get("/", (_, response) => {
      time += WORK;
      response.json({});
    });
    server = createHttpServer(app, {
      errorBody: ({ code, message, status }) => ({ code, message, status }),
      onFailure: () => {
        throw new Error("A refusal is no failure");
      },
      ...(overload !== undefined && { overload: { now: () => time, ...overload } }),
    });
    port = await listen(server);
  }
  afterEach(() => close(server));

  /** Sends one request on each of many connections at the same moment; resolves to the answers in the order of the paths. */
  async function burst(paths: readonly string[]): Promise<readonly string[]> {
    const sockets: Socket[] = [];
    while (sockets.length < paths.length) {
      const socket = connect(port, "127.0.0.1");
      await new Promise((resolve) => socket.once("connect", resolve));
      sockets.push(socket.setEncoding("utf8"));
    }
    return Promise.all(
      sockets.map(
        (socket, index) =>
          new Promise<string>((resolve) => {
            let answer = "";
            socket.on("data", (text: string) => {
              answer += text;
              if (answer.endsWith("}")) socket.destroy();
            });
            socket.on("close", () => {
              resolve(answer);
            });
            socket.write(`GET ${paths[index] ?? ""} HTTP/1.1\r\nHost: x\r\n\r\n`);
          }),
      ),
    );
  }
  const some = (count: number, path = "/") => Array.from({ length: count }, () => path);
  const isRefused = (answer: string) => answer.startsWith("HTTP/1.1 503 ");

  test("requests beyond three times the limit in a turn are refused at once with the error body", async () => {
    const told: number[] = [];
    await start({ maxEventLoopDelay: LIMIT, onRefused: (requests) => told.push(requests) });
    const answers = await burst(some(120));
    const refused = answers.filter(isRefused);
    expect(answers.filter((answer) => answer.startsWith("HTTP/1.1 200 "))).toHaveLength(120 - refused.length);
    // Those that were served took all of the time that a turn has, and no more.
    expect(120 - refused.length).toBeGreaterThan(1);
    expect(120 - refused.length).toBeLessThanOrEqual((3 * LIMIT) / WORK + 1);
    for (const answer of refused) {
      expect(answer).toContain("\r\nRetry-After: 1\r\n");
      expect(answer).toContain("\r\nConnection: keep-alive\r\n");
      expect(JSON.parse(answer.slice(answer.indexOf("{")))).toMatchObject({
        code: "unavailable",
        status: 503,
      });
    }
    await until(() => told.length > 0);
    expect(told).toEqual([refused.length]);
  });

  test("after a turn that took too long the next has a third of its time", async () => {
    await start({ maxEventLoopDelay: LIMIT });
    await burst(some(120));
    const answers = await burst(some(60));
    expect(answers.filter((answer) => !isRefused(answer)).length).toBeLessThanOrEqual(LIMIT / WORK + 1);
    // The service is itself again.
    expect((await burst(some(1)))[0]).toContain("HTTP/1.1 200 ");
  });

  test("one turn of up to three times the limit is not an overload", async () => {
    await start({ maxEventLoopDelay: 700 });
    expect((await burst(some(150))).filter(isRefused)).toEqual([]);
  });

  test("exempt requests are served however long the turn is", async () => {
    await start({ maxEventLoopDelay: LIMIT, isExempt: ({ url }) => url === "/healthz" });
    const answers = await burst([...some(100), ...some(20, "/healthz")]);
    expect(answers.filter(isRefused).length).toBeGreaterThan(30);
    expect(answers.slice(100).filter(isRefused)).toEqual([]);
  });

  test("nothing is refused unless asked for", async () => {
    await start();
    expect((await burst(some(80))).filter(isRefused)).toEqual([]);
  });
});

describe("handlers at work", () => {
  const POST = {
    method: "POST",
    headers: { authorization: "Bearer good", "content-type": "application/json" },
  };
  const BODY = '{"name":"n","size":1}';
  let things: Things;
  let release: () => void = () => undefined;

  /** Handlers of `listThings` wait until they are released; those of `createThing` do not. */
  async function start(maxInFlight: number): Promise<void> {
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    things = await startThings({
      handlers: {
        listThings: async (_, reply) => {
          await gate;
          return reply[200]?.({}, { headers: { "X-Total": 3 } });
        },
        both: () => {
          throw new Error("broken");
        },
      },
      options: { maxInFlight },
    });
  }
  afterEach(() => {
    release();
    return things.stop();
  });
  const list = (signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${things.port}/v1/things`, {
      headers: { authorization: "Bearer good" },
      ...(signal !== undefined && { signal }),
    });
  const create = () => send(things.port, "/v1/things", { ...POST, body: BODY });
  const atWork = (count: number) => until(() => things.handled.length === count);

  test("are limited: a further request is 503 for any operation, and running ones complete", async () => {
    await start(2);
    const waiting = [list(), list()];
    await atWork(2);
    const refused = await create();
    expect(refused).toMatchObject({
      status: 503,
      headers: { "retry-after": "1" },
      json: { error: { code: "unavailable", status: 503 } },
    });
    expect(things.handled).toHaveLength(2);
    release();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await create()).toMatchObject({ status: 201 });
  });

  test("give their place back when they throw", async () => {
    await start(1);
    for (let tries = 0; tries < 3; tries++)
      expect(await send(things.port, "/v1/both?key=good")).toMatchObject({ status: 500 });
    expect(await create()).toMatchObject({ status: 201 });
  });

  test("keep their place when their caller goes away: they are still at work", async () => {
    await start(1);
    const controller = new AbortController();
    const away = list(controller.signal).catch(() => undefined);
    await atWork(1);
    controller.abort();
    await away;
    expect(await create()).toMatchObject({ status: 503 });
    release();
    await until(async () => (await create()).status === 201);
  });

  test("are not those whose caller still sends", async () => {
    await start(1);
    const slow = Array.from({ length: 20 }, () => {
      const socket = connect(things.port, "127.0.0.1");
      socket.write(
        `POST /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 21\r\n\r\n`,
      );
      return socket.on("error", () => undefined);
    });
    // Each is asked to go on.
    await Promise.all(slow.map((socket) => once(socket, "data")));
    expect(await create()).toMatchObject({ status: 201 });
    slow.forEach((socket) => socket.destroy());
  });
});
