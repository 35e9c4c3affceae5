// @thorough: waits for timeouts of connections.
import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, test } from "@jest/globals";
import express from "express";
import { createHttpServer, type HttpServerOptions } from "../../../src/tenon/runtime/index.js";
import { close, listen, send, sendRaw } from "../../support/http.js";
import { GIVE_UP_MS, until } from "../../support/until.js";

let server: Server;
let port = 0;
/** True when the response that exceeds the socket's buffers has ended. */
let isOver = false;

async function start(options: Partial<HttpServerOptions>): Promise<void> {
  const app = express();
  isOver = false;
  app.get("/", (_, response) => response.json({}));
  // Responds before the body has arrived.
  app.post("/", (_, response) => response.status(201).json({}));
  app.get("/later", (_, response) => void setTimeout(600).then(() => response.json({})));
  app.get("/much", (_, response) => {
    response.on("close", () => {
      isOver = true;
    });
    response.end(Buffer.alloc(50_000_000));
  });
  server = createHttpServer(app, { errorBody: (problem) => problem, ...options });
  port = await listen(server);
}
afterEach(() => close(server));

async function open(): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

describe("connections", () => {
  test("beyond their number are closed at once, and there is room again when one ends", async () => {
    await start({ maxConnections: 3 });
    const sockets = [await open(), await open(), await open()];
    expect(await sendRaw(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")).toBe("");
    sockets[0]?.destroy();
    // The server hears of the end a moment later.
    await until(() =>
      send(port, "/").then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
  });

  test("without any bytes are closed after headersTimeout", async () => {
    await start({ headersTimeout: 300, requestTimeout: 60_000 });
    expect(await sendRaw(port, "")).toMatch(/^HTTP\/1.1 408 /);
  });

  test("time for headers is not longer than for the whole request", async () => {
    await start({ requestTimeout: 1_000 });
    expect(server.headersTimeout).toBe(1_000);
  });
});

describe("headers", () => {
  test.each([
    ["number", { maxHeadersCount: 5 }, "A: b\r\n".repeat(5)],
    ["size", { maxHeaderSize: 1_000 }, `A: ${"b".repeat(1_000)}\r\n`],
  ])("their %s can be set", async (_, options, headers) => {
    await start(options);
    expect(await sendRaw(port, `GET / HTTP/1.1\r\nHost: x\r\n${headers}\r\n`)).toMatch(/^HTTP\/1.1 431 /);
    const fewer = `GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(port, fewer)).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe("the time to send", () => {
  test("ends a connection whose caller does not read, and frees what waits", async () => {
    await start({ sendTimeout: 400 });
    const socket = await open();
    socket.pause().write("GET /much HTTP/1.1\r\nHost: x\r\n\r\n");
    await until(() => isOver);
    socket.destroy();
  });

  test("does not count while the handler is running", async () => {
    await start({ sendTimeout: 200 });
    expect(await send(port, "/later")).toMatchObject({ status: 200 });
  });

  test("counts again after a late response", async () => {
    await start({ sendTimeout: 200 });
    const socket = await open();
    socket.write("GET /later HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(socket, "data");
    socket.pause().write("GET /much HTTP/1.1\r\nHost: x\r\n\r\n");
    await until(() => isOver);
    socket.destroy();
  });

  test("ends no connection that idles within its own time", async () => {
    await start({ sendTimeout: 100, keepAliveTimeout: GIVE_UP_MS });
    const socket = await open();
    for (let requests = 0; requests < 2; requests++) {
      socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      expect(String(await once(socket, "data"))).toContain("HTTP/1.1 200 ");
      await setTimeout(400);
    }
    socket.destroy();
  });
});

describe("a request whose response is sent before its body has arrived", () => {
  const head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n";

  test("leaves the connection usable for the next request", async () => {
    await start({});
    const socket = await open();
    socket.write(`${head}12345`);
    expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1.1 201 /);
    socket.write("67890GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1.1 200 /);
    socket.destroy();
  });

  test.each([
    ["too slow", { requestTimeout: 2_000 }, head],
    ["malformed", {}, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxnonsense"],
  ])("gets no second one when the rest is %s", async (_, options, bytes) => {
    await start(options);
    expect((await sendRaw(port, bytes)).match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 201"]);
  });
});
