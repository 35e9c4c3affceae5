// @thorough, 60 s: stops services in the middle of many requests.
import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { createDirectory } from "../support/directory.js";
import { send } from "../support/http.js";
import { callsTo, listAll, startCreation, startPetStore, type PetStore } from "../support/petstore.js";
import { createSchema, POSTGRES_URL } from "../support/postgres/database.js";
import { endProcesses, startServing } from "../support/petstore-process.js";
import { until } from "../support/until.js";

afterEach(endProcesses);

interface Outcome {
  readonly status: number;
  readonly closing: boolean;
}

/** One request on a connection that is kept. */
function ask(agent: Agent, { port, key }: Omit<PetStore, "stop">): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const outgoing = request(
      { host: "127.0.0.1", port, path: "/v1/pets", method: "POST", headers, agent },
      (incoming) => {
        incoming.resume();
        incoming.on("error", reject);
        incoming.on("end", () => {
          resolve({ status: incoming.statusCode ?? 0, closing: incoming.headers.connection === "close" });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end('{"name":"Rex","categoryId":1}');
  });
}

/** Environment of so many processes that share a database and wait longer than any test for what they need not wait for. */
function processes(count: number) {
  return {
    WEB_CONCURRENCY: String(count),
    DATABASE_URL: `sqlite:${join(createDirectory(), "pets.db")}`,
    KEEP_ALIVE_TIMEOUT_MS: "60000",
    REQUEST_TIMEOUT_MS: "60000",
    SHUTDOWN_GRACE_MS: "60000",
  };
}

describe.each([
  ["SIGTERM", 1, "SQLite"],
  ["SIGINT", 1, "SQLite"],
  ["SIGTERM", 3, "SQLite"],
  ["SIGTERM", 1, "PostgreSQL"],
  ["SIGTERM", 2, "PostgreSQL"],
] as const)("%s to a service of %d with %s", (signal, count, engine) => {
  const isThere = engine === "SQLite" || POSTGRES_URL !== undefined;
  (isThere ? test : test.skip)(
    "under load fails no request, turns readiness red and exits 0 in time",
    async () => {
      const shared = {
        ...processes(count),
        ...(engine === "PostgreSQL" && { DATABASE_URL: await createSchema() }),
      };
      // Long enough for all that a slow machine has to do before it is over.
      const delayMs = 10_000;
      const service = await startServing({ env: { ...shared, DRAIN_DELAY_MS: String(delayMs) } });
      const { port } = service.calls;
      const agent = new Agent({ keepAlive: true });
      const outcomes: Outcome[] = [];
      // Clients go on until they are told that their connection closes; a balancer then sends them elsewhere.
      const clients = Array.from({ length: 20 }, async () => {
        for (;;) {
          const outcome = await ask(agent, service.calls);
          outcomes.push(outcome);
          if (outcome.closing) return;
        }
      });
      await until(() => outcomes.length >= 40);
      const begun = performance.now();
      service.kill(signal);
      await Promise.all(clients);
      expect(outcomes.filter(({ status }) => status !== 201)).toStrictEqual([]);

      // Until the delay is over, whoever has not looked yet is served, on a connection that closes.
      const ready = await service.calls.call("/readyz", { key: null });
      expect(ready).toMatchObject({
        status: 503,
        headers: { connection: "close", "retry-after": "1" },
        json: { code: "unavailable" },
      });
      for (const [path, status] of [
        ["/healthz", 200],
        ["/nope", 404],
        ["/v1/nope", 404],
        ["/v1/pets", 200],
      ] as const) {
        expect(await service.calls.call(path)).toMatchObject({ status, headers: { connection: "close" } });
      }
      expect(await service.ended()).toStrictEqual({ code: 0, signal: null });
      expect(performance.now() - begun).toBeGreaterThan(delayMs - 10);
      await expect(send(port, "/healthz")).rejects.toThrow("ECONNREFUSED");
      expect(service.out.at(-1)).toContain('"stopped"');
      expect(service.out.filter((line) => /"(listening|stopping|stopped)"/.test(line))).toHaveLength(3);
      agent.destroy();

      // Each creation that was answered is there, and no other: none was lost, none was made twice.
      const again = await startPetStore({ env: { DATABASE_URL: shared.DATABASE_URL } });
      expect(await listAll(callsTo(again.url, service.calls.key))).toHaveLength(outcomes.length);
      await again.stop();
    },
  );
});

/** A request under way whose body has not come yet, on a connection that is to be kept. */
const hang = (calls: Pick<PetStore, "port" | "key">) => startCreation(calls, "Content-Length: 9");

describe.each([1, 2])("stopping a service of %d", (count) => {
  test("waits for requests under way, and for no connection that is silent", async () => {
    const service = await startServing({ env: processes(count) });
    const idle = connect(service.calls.port, "127.0.0.1");
    idle.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(idle, "data");
    const idleClosed = once(idle.resume(), "close");
    const sockets = [await hang(service.calls), await hang(service.calls)];
    service.kill("SIGTERM");
    // Each connection closes before the grace is over, which would end the other requests too.
    await idleClosed;
    for (const socket of sockets) {
      const closed = once(socket, "close");
      socket.write("{[1, 2, 3");
      const [answer] = (await once(socket, "data")) as [Buffer];
      expect(answer.toString("utf8")).toMatch(/^HTTP\/1.1 400 /);
      await closed;
    }
    expect(await service.ended()).toStrictEqual({ code: 0, signal: null });
  });

  test("does not wait for a request that does not end longer than the grace", async () => {
    const service = await startServing({ env: { ...processes(count), SHUTDOWN_GRACE_MS: "300" } });
    await hang(service.calls);
    service.kill("SIGTERM");
    expect(await service.ended()).toStrictEqual({ code: 0, signal: null });
  });

  test("ends at once at the second signal", async () => {
    const service = await startServing({ env: { ...processes(count), DRAIN_DELAY_MS: "600000" } });
    service.kill("SIGTERM");
    await service.says(/"stopping"/);
    service.kill("SIGINT");
    expect(await service.ended()).toStrictEqual({ code: 1, signal: null });
  });
});

test("kill -9 in the middle of creations loses none that was answered 201", async () => {
  const env = { DATABASE_URL: `sqlite:${join(createDirectory(), "pets.db")}` };
  const first = await startServing({ env });
  const answered: number[] = [];
  const clients = Array.from({ length: 8 }, async () => {
    for (;;) answered.push((await first.calls.create({ name: "Rex", categoryId: 1 })).id);
  });
  const cut = Promise.allSettled(clients);
  await until(() => answered.length >= 50);
  first.kill("SIGKILL");
  await cut;
  expect(await first.ended()).toStrictEqual({ code: null, signal: "SIGKILL" });

  const second = await startPetStore({ env });
  const calls = callsTo(second.url, first.calls.key);
  const kept = new Set((await listAll(calls)).map(({ id }) => id));
  expect(answered.filter((id) => !kept.has(id))).toStrictEqual([]);
  const next = await calls.create({ name: "next", categoryId: 1 });
  expect(next.id).toBeGreaterThan(Math.max(...kept));
  await second.stop();
});
