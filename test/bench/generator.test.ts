import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { Child } from "../../scripts/bench/http/child.js";
import { toRequest } from "../../scripts/bench/http/scenarios.js";
import { until } from "../support/until.js";

const fileOf = (name: string) => fileURLToPath(new URL(`../../scripts/bench/http/${name}`, import.meta.url));

interface Answer {
  readonly result?: {
    readonly answers: number;
    readonly seconds: number;
    readonly statuses: Readonly<Record<string, number>>;
    readonly p50: number;
    readonly p99: number;
  };
  readonly error?: string;
}

describe("load generator", () => {
  let generator: Child;
  let server: Server;
  beforeAll(() => {
    generator = new Child([fileOf("generator.mjs")], { core: "load", node: process.execPath });
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  afterAll(() => generator.stop());

  async function run(listener: RequestListener, requests: readonly string[], milliseconds = 100) {
    server = createServer(listener).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    return generator.ask<Answer>({ port, requests, connections: 4, milliseconds });
  }

  test("takes the requests in turn over kept connections, and counts answers by status", async () => {
    let seen = 0;
    const sockets = new Set<unknown>();
    const { result } = await run(
      (request, response) => {
        seen++;
        sockets.add(request.socket);
        response.writeHead(request.url === "/a" ? 200 : 404).end("ä".repeat(1_000));
      },
      [toRequest("GET", "/a"), toRequest("GET", "/b")],
    );
    const { answers = 0, statuses = {}, p50 = 0, p99 = 0 } = result ?? {};
    expect(answers).toBe(seen);
    expect((statuses["200"] ?? 0) + (statuses["404"] ?? 0)).toBe(answers);
    expect(Math.abs((statuses["200"] ?? 0) - (statuses["404"] ?? 0))).toBeLessThanOrEqual(1);
    expect(sockets.size).toBe(4);
    expect(p50).toBeGreaterThan(0);
    expect(p99).toBeGreaterThanOrEqual(p50);
  });

  test("waits for answers that come in pieces, with a length and without", async () => {
    const { result } = await run(
      (request, response) => {
        if (request.url === "/length") response.setHeader("Content-Length", 6);
        response.write("abc");
        setImmediate(() => response.end("def"));
      },
      [toRequest("GET", "/length"), toRequest("GET", "/chunked")],
    );
    expect(Object.keys(result?.statuses ?? {})).toEqual(["200"]);
  });

  test("sends bodies", async () => {
    const bodies = new Set<string>();
    await run(
      (request, response) => {
        request.setEncoding("utf8").on("data", (text: string) => bodies.add(text));
        request.on("end", () => response.end());
      },
      [toRequest("POST", "/", "key", '{"name":"Rex"}')],
    );
    expect([...bodies]).toEqual(['{"name":"Rex"}']);
  });

  test("a connection that the server closes is an error, not a number, also when the slice is over", async () => {
    for (const milliseconds of [10_000, 0]) {
      const { error } = await run(
        (request) => request.socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"),
        [toRequest("GET", "/")],
        milliseconds,
      );
      server.close();
      expect(error).toMatch(/closed a connection/);
    }
  });
});

describe("usage of a server", () => {
  test("counts processor time of all threads, and memory", async () => {
    // The work is done by a thread of the pool; the main thread waits.
    const script =
      'require("node:crypto").pbkdf2("a", "b", 2_000_000, 64, "sha512", () => {}); setInterval(() => {}, 1_000);';
    const argv = ["--import", new URL("../../scripts/bench/http/answer-usage.mjs", import.meta.url).href];
    const child = new Child([...argv, "--eval", script], { core: "server", node: process.execPath });
    const ask = () => child.ask<{ cpu: number; memory: number }>("usage");
    try {
      const first = await ask();
      expect(first.memory).toBeGreaterThan(10_000_000);
      // That takes long on a busy machine; without the other thread it would take for ever.
      await until(async () => (await ask()).cpu - first.cpu >= 300_000);
    } finally {
      await child.stop();
    }
  });
});
