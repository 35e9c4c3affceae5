import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
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

/** Connects so many callers, some at a time: more would not fit into the queue of connections to accept. */
async function connectMany(count: number): Promise<readonly Socket[]> {
  while (sockets.length < count) {
    const group = Array.from({ length: Math.min(100, count - sockets.length) }, () =>
      connect(service.calls.port, "127.0.0.1").on("error", () => undefined),
    );
    await Promise.all(group.map((socket) => new Promise((resolve) => socket.once("connect", resolve))));
    sockets.push(...group);
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
function answers(all: readonly Socket[]): Promise<readonly string[]> {
  return Promise.all(
    all.map(
      (socket) =>
        new Promise<string>((resolve) => {
          let text = "";
          socket.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
          socket.on("close", () => {
            resolve(text);
          });
        }),
    ),
  );
}

describe("others are answered, memory stays, and each caller is told", () => {
  test(`while ${MANY} connections say nothing`, async () => {
    const before = memory();
    const told = answers(await connectMany(MANY));
    await expectAnswers();
    expect(memory() - before).toBeLessThan(ROOM);
    const statuses = (await told).map((text) => text.slice(9, 12));
    expect(statuses.filter((status) => status !== "408")).toEqual([]);
  }, 60_000);

  test.each<[string, () => string, () => string]>([
    ["headers come byte by byte", () => "GET /v1/pets HTTP/1.1\r\nHost: x\r\nA: ", () => "a"],
    ["bodies come byte by byte", () => head("Content-Length: 50000\r\n"), () => " "],
    ["bodies in chunks do not end", () => head("Transfer-Encoding: chunked\r\n"), () => "1\r\n \r\n"],
    ["half-sent bodies stay so", () => head("Content-Length: 50000\r\n") + " ".repeat(25_000), () => ""],
  ])(
    "while %s",
    async (_, start, more) => {
      const before = memory();
      const all = await connectMany(300);
      const told = answers(all);
      for (const socket of all) socket.write(start());
      const drip = setInterval(() => {
        for (const socket of all) if (socket.writable) socket.write(more());
      }, 100);
      await setTimeout(500);
      await expectAnswers();
      expect(memory() - before).toBeLessThan(ROOM);
      const statuses = (await told).map((text) => text.slice(9, 12));
      clearInterval(drip);
      expect(statuses.filter((status) => status !== "408")).toEqual([]);
    },
    30_000,
  );

  test("while bodies of a gigabyte are sent, announced or in chunks", async () => {
    const before = memory();
    const all = await connectMany(20);
    const told = answers(all);
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
    const texts = await told;
    clearInterval(flood);
    expect(memory() - before).toBeLessThan(ROOM);
    // Each is told at once, and once, and then read from for no longer than any request.
    const statuses = texts.map((text) => text.match(/HTTP\/1.1 \d+/g)?.join());
    expect(statuses).toEqual(all.map(() => "HTTP/1.1 413"));
  }, 30_000);

  test("while callers ask for page after page and read nothing", async () => {
    for (let pets = 0; pets < 100; pets++)
      await service.calls.create({ name: "x".repeat(500), categoryId: 1 });
    const before = memory();
    const request = `GET /v1/pets?limit=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.calls.key}\r\n\r\n`;
    for (const socket of await connectMany(20)) socket.pause().write(request.repeat(500));
    await setTimeout(1_000);
    await expectAnswers();
    // 20 × 500 pages of 60 kB are 600 MB.
    expect(memory() - before).toBeLessThan(ROOM);
  }, 30_000);
});
