// @thorough: starts services and reads their metrics for seconds.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { loadConfig } from "../../../src/petstore/config.js";
import { createLogger } from "../../../src/petstore/log.js";
import { chooseContentType } from "../../../src/petstore/metrics/combined-metrics.js";
import { shareCollections, startMetricsServer } from "../../../src/petstore/metrics/metrics-server.js";
import { startService } from "../../../src/petstore/service.js";
import { loadSqliteDriver } from "../../../src/petstore/store/sqlite/driver.js";
import { createDirectory } from "../../support/directory.js";
import { readExposition, type Samples } from "../../support/exposition.js";
import { close, listen, send, sendRaw } from "../../support/http.js";
import { startCreation } from "../../support/petstore.js";
import { until } from "../../support/until.js";
import {
  endProcesses,
  startProcess,
  startServing,
  type ServingProcess,
} from "../../support/petstore-process.js";

const readme = readFileSync(new URL("../../../src/petstore/README.md", import.meta.url), "utf8");

interface Measured extends ServingProcess {
  readonly metricsPort: number;
  /** What `/metrics` says. */
  measure(): Promise<Samples>;
}

async function startMeasured(env: Readonly<Record<string, string>> = {}): Promise<Measured> {
  const service = await startServing({
    env: { METRICS_PORT: "0", DATABASE_URL: `sqlite:${join(createDirectory(), "pets.db")}`, ...env },
  });
  const line = service.out.find((text) => text.includes('"listening"')) ?? "";
  const { metricsUrl } = JSON.parse(line) as { metricsUrl: string };
  const metricsPort = Number(new URL(metricsUrl).port);
  return {
    ...service,
    metricsPort,
    measure: async () => readExposition((await send(metricsPort, "/metrics")).text, "text"),
  };
}

const counted = (operation: string, method: string, status: number | string): string =>
  `petstore_requests_total{operation="${operation}",method="${method}",status="${status}"}`;

/** The samples of a family, without its name. */
const of = (samples: Samples, family: string): Record<string, number> =>
  Object.fromEntries([...samples].filter(([name]) => name.startsWith(family)));

const pet = { name: "Rex", categoryId: 1 };

describe("one process", () => {
  let service: Measured;
  let samples: Samples;
  beforeAll(async () => {
    const file = join(createDirectory(), "pets.db");
    service = await startMeasured({ DATABASE_URL: `sqlite:${file}` });
    const { calls } = service;
    await Promise.all(Array.from({ length: 20 }, () => calls.create(pet)));
    await calls.call("/v1/pets?limit=1");
    await calls.call("/v1/pets?limit=1", { method: "HEAD" });
    await calls.call("/v1/pets", { key: null });
    await calls.call("/v1/pets?limit=0");
    await calls.call("/v1/pets/1");
    await calls.call("/v1/pets/1", { key: "unknown" });
    await calls.call("/v1/store/orders");
    const intruder = new (loadSqliteDriver().DatabaseSync)(file);
    intruder.exec("pragma ignore_check_constraints = on; update pets set status = 'lost' where id = 20");
    intruder.close();
    await calls.call("/v1/pets?limit=100");
    // Nothing of these is to be found in a label.
    await calls.call("/chosen?by=callers");
    await sendRaw(calls.port, "PROPFIND /chosen HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    await sendRaw(calls.port, "GET / HTTP/1.1\r\nHost: x\r\nExpect: chosen\r\n\r\n");
    await sendRaw(calls.port, "chosen\r\n\r\n");
    await sendRaw(calls.port, "CONNECT chosen:1 HTTP/1.1\r\nHost: chosen\r\n\r\n");
    const leave = async (how: (socket: Socket) => void): Promise<void> => {
      how(await startCreation(calls, "Content-Length: 100"));
    };
    await leave((socket) => socket.resetAndDestroy());
    await leave((socket) => socket.end());
    // Requests are counted when they are over, which the caller may know first.
    await until(async () => {
      samples = await service.measure();
      const aborted = samples.get(counted("createPet", "POST", "aborted"));
      return aborted === 2 && samples.get("petstore_requests_in_flight") === 0;
    });
  });
  afterAll(endProcesses);

  test("counts requests by operation, method and status", () => {
    expect(of(samples, "petstore_requests_total")).toStrictEqual({
      [counted("createPet", "POST", 201)]: 20,
      [counted("createPet", "POST", "aborted")]: 2,
      [counted("listPets", "GET", 200)]: 1,
      [counted("listPets", "HEAD", 200)]: 1,
      [counted("listPets", "GET", 401)]: 1,
      [counted("listPets", "GET", 400)]: 1,
      [counted("listPets", "GET", 500)]: 1,
      [counted("getPet", "GET", 200)]: 1,
      [counted("getPet", "GET", 401)]: 1,
      [counted("listOrders", "GET", 501)]: 1,
      [counted("none", "GET", 404)]: 1,
      [counted("none", "other", 404)]: 1,
      [counted("none", "GET", 417)]: 1,
      [counted("none", "none", 400)]: 1,
      [counted("none", "other", 405)]: 1,
    });
    expect(samples.get("petstore_requests_in_flight")).toBe(0);
  });

  test("says how long requests took, and each phase of those that came to it", () => {
    expect(samples.get('petstore_request_duration_seconds_count{operation="listPets"}')).toBe(5);
    const phases = Object.fromEntries(
      ["authentication", "request", "handler", "response", "http"].map((phase) => {
        const labels = `{operation="listPets",phase="${phase}"}`;
        return [phase, samples.get(`petstore_request_phase_duration_seconds_count${labels}`)];
      }),
    );
    expect(phases).toStrictEqual({ authentication: 5, request: 4, handler: 3, response: 3, http: 5 });
    const total = samples.get('petstore_request_duration_seconds_sum{operation="listPets"}') ?? 0;
    const parts = Object.entries(
      of(samples, 'petstore_request_phase_duration_seconds_sum{operation="listPets"'),
    );
    expect(parts.reduce((sum, [, part]) => sum + part, 0)).toBeCloseTo(total, 9);
  });

  test("counts who still uses a deprecated operation, by the id of a valid key", () => {
    const used = of(samples, "petstore_deprecated_requests_total");
    const [line = ""] = Object.keys(used);
    expect(used).toStrictEqual({ [line]: 1 });
    expect(line).toMatch(/\{operation="getPet",key="k_\w+"\}$/);
    expect(service.out.join("\n")).toContain(/key="(\w+)"/.exec(line)?.[1]);
  });

  test("counts commits, and how many creations share them", () => {
    const commits = samples.get("petstore_store_commit_creations_count") ?? 0;
    expect(samples.get("petstore_store_commit_creations_sum")).toBe(20);
    expect(commits).toBeGreaterThan(0);
    expect(samples.get("petstore_store_commit_duration_seconds_count")).toBe(commits);
  });

  test("counts responses that are not as declared", () => {
    expect(of(samples, "petstore_response_problems_total")).toStrictEqual({
      'petstore_response_problems_total{operation="listPets"}': 1,
    });
  });

  test("are those that the README tells of", () => {
    const table = readme.split("### Metrics\n")[1]?.split("\n### ")[0] ?? "";
    const told = [...table.matchAll(/^\| `(\w+)` +\| (.*?) +\|/gm)].map(([, name = "", labels = ""]) => [
      name,
      [...labels.matchAll(/\w+/g)].map(String),
    ]);
    const found = [...samples.keys()].map((sample) => {
      const [, name = "", labels = ""] = /^(\w+?)(?:_bucket|_sum|_count)?(?:\{(.*)\})?$/.exec(sample) ?? [];
      return [
        name,
        [...labels.matchAll(/(\w+)="/g)].map(([, label = ""]) => label).filter((label) => label !== "le"),
      ];
    });
    const unique = new Map(found.map((one) => [JSON.stringify(one), one]));
    expect([...unique.values()].sort()).toStrictEqual(told.sort());
  });

  test("has nothing in a label that callers choose", () => {
    expect([...samples.keys()].join("\n")).not.toMatch(/chosen|PROPFIND|callers|unknown/);
  });

  test("tells of itself", () => {
    expect(samples.get("process_resident_memory_bytes")).toBeGreaterThan(1e7);
    expect(samples.get("process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(samples.get("process_open_fds")).toBeGreaterThan(3);
    expect(samples.get("nodejs_eventloop_delay_seconds_count")).toBeGreaterThan(0);
    expect(samples.get("nodejs_eventloop_active_seconds_total")).toBeGreaterThan(0);
    expect(of(samples, "nodejs_gc_duration_seconds_count")).not.toStrictEqual({});
    expect([...samples.keys()].join("\n")).not.toContain("process=");
  });

  test("answers OpenMetrics to whom asks for it, and nothing but /metrics", async () => {
    const accept = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5";
    const answer = await send(service.metricsPort, "/metrics", { headers: { accept } });
    expect(answer.headers["content-type"]).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
    expect(readExposition(answer.text, "openmetrics").size).toBeGreaterThan(100);
    expect(await send(service.metricsPort, "/v1/pets")).toMatchObject({ status: 404 });
    const posted = await send(service.metricsPort, "/metrics", { method: "POST" });
    expect(posted).toMatchObject({ status: 405, json: { code: "method_not_allowed" } });
  });

  test("does not tell on the port that callers reach", async () => {
    expect(await service.calls.call("/metrics")).toMatchObject({ status: 404 });
  });

  test("still tells while it drains, and then ends", async () => {
    const slow = await startMeasured({ DRAIN_DELAY_MS: "5000" });
    slow.kill("SIGTERM");
    await slow.says(/"stopping"/);
    expect((await slow.measure()).size).toBeGreaterThan(50);
    expect(await slow.ended()).toStrictEqual({ code: 0, signal: null });
  });
});

test("without METRICS_PORT nothing is measured", async () => {
  const config = loadConfig({ DATABASE_URL: "sqlite::memory:", PORT: "0" });
  const service = await startService({ config, logger: createLogger("silent") });
  expect(await service.measure()).toStrictEqual([]);
  await service.stop();
});

describe("several processes", () => {
  afterEach(endProcesses);

  /** Measures until so many creations are counted by so many processes: one that does not answer in time is left out. */
  const measured = async (service: Measured, creations: number, processes: number): Promise<Samples> => {
    let samples: Samples = new Map();
    await until(async () => {
      samples = await service.measure();
      const { length } = Object.keys(of(samples, "process_resident_memory_bytes"));
      return samples.get(counted("createPet", "POST", 201)) === creations && length === processes;
    });
    return samples;
  };

  test("are added up, and each tells of itself", async () => {
    const service = await startMeasured({ WEB_CONCURRENCY: "3" });
    for (let i = 0; i < 9; i++) await service.calls.create(pet);
    const samples = await measured(service, 9, 4);
    expect(samples.get("petstore_store_commit_creations_sum")).toBe(9);
    const processes = Object.keys(of(samples, "process_resident_memory_bytes"));
    expect(processes).toStrictEqual(
      ["worker-1", "worker-2", "worker-3", "primary"].map(
        (name) => `process_resident_memory_bytes{process="${name}"}`,
      ),
    );
  });

  test("count what a worker counted that has ended, and no longer what it holds", async () => {
    const service = await startMeasured({ WEB_CONCURRENCY: "2" });
    for (let i = 0; i < 8; i++) await service.calls.create(pet);
    await measured(service, 8, 3);
    const pids = new Set(
      service.out
        .filter((line) => line.includes('"createPet"'))
        .map((line) => (JSON.parse(line) as { pid: number }).pid),
    );
    expect(pids.size).toBe(2);
    process.kill([...pids][0] ?? 0, "SIGKILL");
    await service.says(/"worker replaced"/);
    await service.calls.create(pet);
    const samples = await measured(service, 9, 3);
    expect(samples.get("petstore_store_commit_creations_sum")).toBe(9);
  });

  test("are told of as they were last when one does not answer", async () => {
    const service = await startMeasured({ WEB_CONCURRENCY: "2" });
    await service.calls.create(pet);
    await measured(service, 1, 3);
    const line = service.out.find((text) => text.includes('"createPet"')) ?? "";
    const { pid } = JSON.parse(line) as { pid: number };
    process.kill(pid, "SIGSTOP");
    try {
      expect((await service.measure()).get(counted("createPet", "POST", 201))).toBe(1);
    } finally {
      process.kill(pid, "SIGCONT");
    }
  });
});

test("a port that is in use ends the start with one line", async () => {
  const other = createServer();
  const port = await listen(other);
  const service = startProcess({ env: { METRICS_PORT: String(port) } });
  expect(await service.ended()).toStrictEqual({ code: 1, signal: null });
  expect(service.err).toStrictEqual([
    expect.stringMatching(/^Cannot serve metrics: .*EADDRINUSE.*METRICS_PORT/),
  ]);
  await close(other);
});

test("idle connections keep no scraper out", async () => {
  const metrics = await startMetricsServer({
    host: "127.0.0.1",
    port: 0,
    logger: createLogger("silent"),
    collect: () => Promise.resolve([]),
  });
  const port = Number(new URL(metrics.url).port);
  let closed = 0;
  const idle = await Promise.all(
    Array.from({ length: 150 }, async () => {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.once("close", () => (closed += 1));
      await once(socket, "connect");
      return socket;
    }),
  );
  try {
    await until(() => closed === 50);
    expect(await send(port, "/metrics")).toMatchObject({ status: 200 });
  } finally {
    metrics.stop();
    for (const socket of idle) socket.destroy();
  }
});

test("requests for metrics share collections, each of which starts after they arrived", async () => {
  const collections: ((metrics: []) => void)[] = [];
  const collect = shareCollections(() => new Promise((resolve) => collections.push(resolve)));
  const first = Array.from({ length: 20 }, collect);
  await until(() => collections.length === 1);
  const later = Array.from({ length: 20 }, collect);
  collections[0]?.([]);
  const [format] = await Promise.all(first);
  expect(await format?.(chooseContentType())).toBe("\n");
  await until(() => collections.length === 2);
  collections[1]?.([]);
  await Promise.all(later);
  expect(collections).toHaveLength(2);
});

test("a collection that fails does not stop later ones", async () => {
  let count = 0;
  const collect = shareCollections(() =>
    count++ === 0 ? Promise.reject(new Error("no")) : Promise.resolve([]),
  );
  await expect(collect()).rejects.toThrow("no");
  await expect(collect()).resolves.toBeInstanceOf(Function);
});
