// @thorough, 60 s: starts services of several processes.
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { runKeysCommand } from "../../src/petstore/keys/keys-command.js";
import { Keys } from "../../src/petstore/keys/keys.js";
import { openStore } from "../../src/petstore/store/open.js";
import { createDirectory } from "../support/directory.js";
import { childrenOf } from "../support/faults/service.js";
import { close, listen, type Answer } from "../support/http.js";
import { callsTo, listAll, startCreation } from "../support/petstore.js";
import {
  endProcesses,
  startProcess,
  startServing,
  type PetStoreProcess,
  type ServingProcess,
} from "../support/petstore-process.js";
import { until } from "../support/until.js";

interface Line {
  readonly pid: number;
  readonly msg: string;
  readonly [name: string]: unknown;
}

const pet = { name: "Rex", categoryId: 1 };
const newDatabase = (): string => `sqlite:${join(createDirectory(), "pets.db")}`;

const startCluster = (count: number, databaseUrl = newDatabase()): Promise<ServingProcess> =>
  startServing({ env: { WEB_CONCURRENCY: String(count), DATABASE_URL: databaseUrl } });

const linesOf = ({ out }: PetStoreProcess, msg: string): readonly Line[] =>
  out.map((line) => JSON.parse(line) as Line).filter((line) => line.msg === msg);

/** Process ids of those that have answered. */
const workersOf = (service: PetStoreProcess): ReadonlySet<number> =>
  new Set(linesOf(service, "request").map(({ pid }) => pid));

/** Asks on new connections, which go to the workers in turn, until each of so many workers has answered. */
async function meetWorkers(service: ServingProcess, count: number): Promise<readonly number[]> {
  let workers: readonly number[] = [];
  await until(async () => {
    await service.calls.call("/healthz");
    workers = childrenOf(service.pid);
    const answered = workersOf(service);
    return workers.length === count && workers.every((pid) => answered.has(pid));
  });
  return workers;
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const gone = (pids: Iterable<number>): Promise<void> => until(() => ![...pids].some(isRunning));

describe("several processes are one service:", () => {
  const databaseUrl = newDatabase();
  let service: ServingProcess;

  beforeAll(async () => {
    service = await startCluster(3, databaseUrl);
    await meetWorkers(service, 3);
  });
  afterAll(endProcesses);

  test("what all of them create has ids of its own, and the pages have each exactly once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, categoryId) => service.calls.create({ name: "Rex", categoryId })),
    );
    const kept = await listAll(service.calls);
    expect(kept).toStrictEqual(answers.sort((a, b) => a.id - b.id));
    expect(new Set(kept.map(({ id }) => id)).size).toBe(400);
    expect(new Set(kept.map(({ categoryId }) => categoryId)).size).toBe(400);
    const creators = () =>
      new Set(linesOf(service, "request").flatMap(({ pid, method }) => (method === "POST" ? [pid] : [])));
    await until(() => creators().size === 3);
  });

  test("a key that is revoked is refused by each of them at once", async () => {
    const ask = (): Promise<Answer> => service.calls.call("/v1/pets");
    for (let i = 0; i < 6; i++) expect((await ask()).status).toBe(200);
    const findKey = () => linesOf(service, "request").find(({ keyId }) => keyId !== undefined)?.["keyId"];
    await until(() => findKey() !== undefined);
    const silent = { write: () => undefined };
    const env = { DATABASE_URL: databaseUrl };
    expect(await runKeysCommand(["revoke", String(findKey())], { env, stdout: silent, stderr: silent })).toBe(
      0,
    );
    for (let i = 0; i < 6; i++) expect((await ask()).status).toBe(401);
    const refused = () => linesOf(service, "request").filter(({ status }) => status === 401);
    await until(() => refused().length === 6);
    expect(new Set(refused().map(({ pid }) => pid)).size).toBe(3);
  });

  test("one line tells that it listens, and the log has a whole line for each answer of each", async () => {
    const path = `/${"x".repeat(8_000)}`;
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 20 }, () => service.calls.call(path)));
    }
    service.kill("SIGTERM");
    await service.ended();
    expect(linesOf(service, "request").filter(({ status }) => status === 404)).toHaveLength(200);
    expect(linesOf(service, "listening")).toHaveLength(1);
    expect(workersOf(service).size).toBe(3);
    expect(workersOf(service)).not.toContain(service.pid);
    for (const line of service.out) expect(Buffer.byteLength(line)).toBeLessThan(4_096);
  });
});

describe("a worker", () => {
  let service: ServingProcess;

  beforeAll(async () => {
    service = await startCluster(2);
  });
  beforeEach(() => {
    service.forget();
  });
  afterAll(endProcesses);

  test("that crashes is replaced, and meanwhile the others serve", async () => {
    const [first = 0] = await meetWorkers(service, 2);
    process.kill(first, "SIGKILL");
    await service.says(/"worker ended"/);
    expect((await service.calls.create(pet)).id).toBe(1);
    await service.says(/"worker replaced"/);
    expect(await meetWorkers(service, 2)).not.toContain(first);
    expect(linesOf(service, "worker ended")).toMatchObject([
      { pid: service.pid, worker: first, reason: "A worker process ended by SIGKILL" },
    ]);
  });

  test("that is asked to end drains, and is replaced", async () => {
    const [first = 0] = await meetWorkers(service, 2);
    process.kill(first, "SIGTERM");
    await service.says(/"worker replaced"/);
    expect(linesOf(service, "worker ended")).toMatchObject([
      { worker: first, reason: "A worker process ended with exit code 0" },
    ]);
  });

  test("that does not answer any more is replaced", async () => {
    const [first = 0] = await meetWorkers(service, 2);
    process.kill(first, "SIGSTOP");
    // After half a minute: a shorter limit would also end workers that start slowly.
    await service.says(/"worker does not respond"/);
    await service.says(/"worker replaced"/);
    expect(linesOf(service, "worker ended")).toMatchObject([{ worker: first }]);
    expect(isRunning(first)).toBe(false);
  });

  test("comes back on the same port, also when all have ended and any port was asked for", async () => {
    const workers = await meetWorkers(service, 2);
    for (const pid of workers) process.kill(pid, "SIGKILL");
    await until(() => linesOf(service, "worker replaced").length >= 2);
    await meetWorkers(service, 2);
    expect((await service.calls.create(pet)).id).toBe(2);
  });

  test("that crashed, and whose successor does not listen yet, does not make the end of the service a failure", async () => {
    const [first = 0] = await meetWorkers(service, 2);
    process.kill(first, "SIGKILL");
    await service.says(/"worker ended"/);
    process.kill(service.pid, "SIGTERM");
    expect(await service.ended()).toStrictEqual({ code: 0, signal: null });
  });

  test("comes back on the same port when the last one ends before it listens", async () => {
    // The service above has chosen its port for good.
    const other = await startCluster(2);
    const [first = 0, last = 0] = await meetWorkers(other, 2);
    process.kill(first, "SIGKILL");
    // Its successor has been told the port, and does not listen yet.
    await until(() => childrenOf(other.pid).some((pid) => pid !== first && pid !== last));
    process.kill(last, "SIGKILL");
    await until(() => linesOf(other, "worker replaced").length >= 2);
    await meetWorkers(other, 2);
  });
});

describe("the first process", () => {
  afterEach(endProcesses);

  test("that is killed is missed by its workers, which finish what is under way and end", async () => {
    const service = await startCluster(2);
    const workers = await meetWorkers(service, 2);
    const { port, key } = service.calls;
    const body = JSON.stringify(pet);
    const requests = await Promise.all(
      workers.map(() => startCreation({ port, key }, `Content-Length: ${body.length}`)),
    );
    service.kill("SIGKILL");
    await until(() => linesOf(service, "the primary process is gone; stopping").length >= 2);
    for (const socket of requests) socket.write(body);
    const answers = await Promise.all(requests.map((socket) => once(socket, "data")));
    for (const [answer] of answers) expect(String(answer)).toMatch(/^HTTP\/1\.1 201 /);
    await gone(workers);
  });

  test("that is gone before its workers listen: they end without a stack", async () => {
    const late = join(createDirectory(), "late.mjs");
    // What node:cluster sends next fails before it sees that the channel is closed.
    writeFileSync(
      late,
      `import cluster from "node:cluster";
       import { Server } from "node:net";
       const { listen } = Server.prototype;
       const primary = process.ppid;
       if (cluster.isWorker) Server.prototype.listen = function (...parameters) {
         console.error("about to listen");
         while (process.ppid === primary);
         return listen.apply(this, parameters);
       };`,
    );
    const service = startProcess({
      env: {
        WEB_CONCURRENCY: "2",
        DATABASE_URL: newDatabase(),
        NODE_OPTIONS: `--import=${pathToFileURL(late).href}`,
      },
    });
    await until(() => service.err.length === 2);
    service.kill("SIGKILL");
    await service.ended();
    expect(service.err).toStrictEqual(["about to listen", "about to listen"]);
  });

  test("that is asked twice ends its workers at once", async () => {
    const service = await startServing({
      env: { WEB_CONCURRENCY: "2", DATABASE_URL: newDatabase(), DRAIN_DELAY_MS: "600000" },
    });
    const workers = await meetWorkers(service, 2);
    service.kill("SIGTERM");
    await service.says(/"stopping"/);
    service.kill("SIGTERM");
    expect(await service.ended()).toStrictEqual({ code: 1, signal: null });
    await gone(workers);
  });

  test("ends a worker that does not drain in time, and says so", async () => {
    const service = await startServing({
      env: { WEB_CONCURRENCY: "2", DATABASE_URL: newDatabase(), SHUTDOWN_GRACE_MS: "0" },
    });
    const [first = 0] = await meetWorkers(service, 2);
    process.kill(first, "SIGSTOP");
    service.kill("SIGTERM");
    expect(await service.ended()).toStrictEqual({ code: 1, signal: null });
    expect(linesOf(service, "stopping failed")).toMatchObject([
      { err: { message: "A worker process did not stop by itself" } },
    ]);
  });
});

describe("a start that fails ends the service with one line and exit code 1:", () => {
  afterEach(endProcesses);

  async function expectFailure(service: PetStoreProcess, line: RegExp): Promise<void> {
    expect(await service.ended()).toStrictEqual({ code: 1, signal: null });
    expect(service.err).toStrictEqual([expect.stringMatching(line)]);
    expect(service.out).toStrictEqual([]);
  }

  test("a port that is in use", async () => {
    const other = createServer();
    const port = await listen(other);
    const env = { PORT: String(port), WEB_CONCURRENCY: "4", DATABASE_URL: newDatabase() };
    await expectFailure(startProcess({ env }), /EADDRINUSE.*set PORT to a free port/);
    await close(other);
  });

  test("a database that does not open", async () => {
    const env = { WEB_CONCURRENCY: "2", DATABASE_URL: `sqlite:${createDirectory()}` };
    await expectFailure(startProcess({ env }), /^Cannot open /);
  });

  test("workers that crash", async () => {
    const broken = join(createDirectory(), "broken");
    writeFileSync(broken, "");
    const env = { WEB_CONCURRENCY: "2", DATABASE_URL: newDatabase(), BROKEN: broken };
    await expectFailure(
      startProcess({ main: "test/support/breakable-cluster.ts", env }),
      /^A worker process ended with exit code 7 before it listened$/,
    );
  });
});

describe("workers that do not start any more", () => {
  let broken = "";
  let service: ServingProcess;

  // One for each test: the pauses before the next starts grow.
  beforeEach(async () => {
    const databaseUrl = newDatabase();
    broken = join(createDirectory(), "broken");
    const store = await openStore(databaseUrl);
    const { key } = await new Keys(store.keys).issue({ name: "test" });
    await store.close();
    const started = startProcess({
      main: "test/support/breakable-cluster.ts",
      env: { WEB_CONCURRENCY: "2", DATABASE_URL: databaseUrl, BROKEN: broken },
    });
    service = { ...started, calls: callsTo(await started.listening(), key) };
  });
  afterEach(endProcesses);

  test("are tried again while another serves", async () => {
    const [first = 0] = await meetWorkers(service, 2);
    writeFileSync(broken, "");
    process.kill(first, "SIGKILL");
    await until(() => linesOf(service, "worker ended").length >= 3);
    expect((await service.calls.create(pet)).id).toBe(1);
    rmSync(broken);
    await service.says(/"worker replaced"/);
  });

  test("end the service when none is left", async () => {
    const workers = await meetWorkers(service, 2);
    writeFileSync(broken, "");
    for (const pid of workers) process.kill(pid, "SIGKILL");
    expect(await service.ended()).toStrictEqual({ code: 1, signal: null });
    expect(service.err).toStrictEqual([
      "No worker process starts any more: A worker process ended with exit code 7",
    ]);
  });
});
