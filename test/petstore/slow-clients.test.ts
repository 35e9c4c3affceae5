// @thorough: waits for clients that hardly read or write.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { until } from "../support/until.js";
import { endProcesses, startServing, type ServingProcess } from "../support/petstore-process.js";

/** Idle connections, of which a process may have as many as the system lets it. */
const MANY = 3_000;

/** What a burst of anything may leave behind in a process, in bytes: what the collector has not looked at yet. */
const ROOM = 80_000_000;

/** A part of a body, as it is and as a chunk. */
const SPACES = " ".repeat(65_536);
const CHUNK = `10000\r\n${SPACES}\r\n`;

let service: ServingProcess;
let sockets: Socket[];
beforeEach(async () => {
  sockets = [];
  service = await startServing({ env: { REQUEST_TIMEOUT_MS: "3000" } });
  for (let calls = 0; calls < 200; calls++) await service.calls.call("/v1/pets");
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await endProcesses();
});

/** Resident memory of the service, in bytes. */
function memory(): number {
  const status = readFileSync(`/proc/${service.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** What each connection was answered, when the service has closed it. */
const told = new WeakMap<Socket, Promise<string>>();

/** Connects one caller. It reads from the start: what it was answered is lost when the connection is reset before. */
async function connectOne(): Promise<Socket> {
  const socket = connect(service.calls.port, "127.0.0.1").on("error", () => undefined);
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
  told.set(
    socket,
    new Promise((resolve) => {
      socket.once("close", () => {
        resolve(text);
      });
    }),
  );
  await once(socket, "connect");
  return socket;
}

/** Connects so many callers, some at a time: more would not fit into the queue of connections to accept. */
async function connectMany(count: number): Promise<readonly Socket[]> {
  while (sockets.length < count) {
    const group = Array.from({ length: Math.min(100, count - sockets.length) }, connectOne);
    sockets.push(...(await Promise.all(group)));
  }
  return sockets;
}

/** Somebody else is served, within the same time that ends these connections. */
async function expectAnswers(): Promise<void> {
  for (const path of ["/v1/pets", "/healthz"])
    expect(await service.calls.call(path)).toMatchObject({ status: 200 });
  await service.calls.create({ name: "Rex", categoryId: 1 });
}

const head = (extra: string): string =>
  `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.calls.key}\r\nContent-Type: application/json\r\n${extra}\r\n`;

/** What each connection was answered, when all were closed by the service. */
const answers = (all: readonly Socket[]): Promise<readonly string[]> =>
  Promise.all(all.map((socket) => told.get(socket) ?? Promise.reject(new Error("Not connected here"))));

describe("others are answered, memory stays, and each caller is told", () => {
  test(`while ${MANY} connections say nothing`, async () => {
    const before = memory();
    const all = await connectMany(MANY);
    await expectAnswers();
    expect(memory() - before).toBeLessThan(ROOM);
    const statuses = (await answers(all)).map((text) => text.slice(9, 12));
    expect(statuses.filter((status) => status !== "408")).toEqual([]);
  });

  test.each<[string, () => string, () => string]>([
    ["headers come byte by byte", () => "GET /v1/pets HTTP/1.1\r\nHost: x\r\nA: ", () => "a"],
    ["bodies come byte by byte", () => head("Content-Length: 50000\r\n"), () => " "],
    ["bodies in chunks do not end", () => head("Transfer-Encoding: chunked\r\n"), () => "1\r\n \r\n"],
    ["half-sent bodies stay so", () => head("Content-Length: 50000\r\n") + " ".repeat(25_000), () => ""],
  ])("while %s", async (_, start, more) => {
    const before = memory();
    const all = await connectMany(300);
    for (const socket of all) socket.write(start());
    let drops = 0;
    const drip = setInterval(() => {
      drops += 1;
      for (const socket of all) if (socket.writable) socket.write(more());
    }, 100);
    await until(() => drops >= 5);
    await expectAnswers();
    expect(memory() - before).toBeLessThan(ROOM);
    const statuses = (await answers(all)).map((text) => text.slice(9, 12));
    clearInterval(drip);
    expect(statuses.filter((status) => status !== "408")).toEqual([]);
  });

  test("while bodies of a gigabyte are sent, announced or in chunks", async () => {
    const before = memory();
    const all = await connectMany(20);
    for (const [index, socket] of all.entries())
      socket.write(
        head(index % 2 === 0 ? "Transfer-Encoding: chunked\r\n" : "Content-Length: 1000000000\r\n"),
      );
    // As fast as the service reads, and not so fast that nothing else of this process has a turn.
    const flood = setInterval(() => {
      for (const [index, socket] of all.entries())
        if (socket.writable && !socket.writableNeedDrain) socket.write(index % 2 === 0 ? CHUNK : SPACES);
    }, 2);
    await expectAnswers();
    const texts = await answers(all);
    clearInterval(flood);
    expect(memory() - before).toBeLessThan(ROOM);
    // Each is told at once, and once, and then read from for no longer than any request.
    const statuses = texts.map((text) => text.match(/HTTP\/1.1 \d+/g)?.join());
    expect(statuses).toEqual(all.map(() => "HTTP/1.1 413"));
  });

  test("while callers ask for page after page and read nothing", async () => {
    for (let pets = 0; pets < 100; pets++)
      await service.calls.create({ name: "x".repeat(500), categoryId: 1 });
    const before = memory();
    const request = `GET /v1/pets?limit=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.calls.key}\r\n\r\n`;
    for (const socket of await connectMany(20)) socket.pause().write(request.repeat(500));
    // Time in which too much could be kept in memory.
    await setTimeout(1_000);
    await expectAnswers();
    // 20 × 500 pages of 60 kB are 600 MB.
    expect(memory() - before).toBeLessThan(ROOM);
  });
});
