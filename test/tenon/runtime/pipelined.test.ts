// @slow: ten thousand requests, three times.
import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, test } from "@jest/globals";
import { createHttpServer } from "../../../src/tenon/runtime/index.js";
import { close, listen } from "../../support/http.js";
import { until } from "../../support/until.js";

/** As many requests as may wait, and the one before them that is in progress. */
const FULL = 10_001;
const REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

let server: Server;
let port: number;
let sockets: Socket[];
let release: () => void;

beforeEach(async () => {
  const gate = new Promise<void>((resolve) => (release = resolve));
  sockets = [];
  server = createHttpServer((_, response) => void gate.then(() => response.end("{}")), {
    errorBody: (problem) => problem,
  });
  port = await listen(server);
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await close(server);
});

/** Sends requests on a connection of their own, without waiting for responses. Resolves when the server has read them, or closed it. */
async function pipeline(count: number) {
  const connected = once(server, "connection") as Promise<[Socket]>;
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  sockets.push(socket);
  let text = "";
  socket.on("data", (bytes: Buffer) => (text += bytes.toString("latin1")));
  const [serverSocket] = await connected;
  socket.write(REQUEST.repeat(count));
  await until(() => serverSocket.bytesRead === count * REQUEST.length || serverSocket.destroyed);
  return { socket, serverSocket, responses: () => text.split("HTTP/1.1 200 OK").length - 1 };
}

test("a connection that pipelines more requests than may wait is closed", async () => {
  const { socket } = await pipeline(2 * FULL);
  await until(() => socket.closed);
});

test("requests that wait get responses, and keep no other connection from a few", async () => {
  const many = await pipeline(FULL);
  const some = await pipeline(100);
  await until(() => some.socket.closed);
  const few = await pipeline(5);
  release();
  await until(() => many.responses() === FULL && few.responses() === 5);
});

test("requests of a connection that is gone no longer wait", async () => {
  const gone = await pipeline(FULL);
  gone.socket.destroy();
  await until(() => gone.serverSocket.destroyed);
  const { responses } = await pipeline(FULL);
  release();
  await until(() => responses() === FULL);
});
