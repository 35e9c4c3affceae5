// @thorough: takes PostgreSQL away from a service.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import type { Answer } from "../support/http.js";
import { startPetStore, type PetJson, type PetStore } from "../support/petstore.js";
import { endProcesses, startProcess } from "../support/petstore-process.js";
import { createDatabase, POSTGRES_URL } from "../support/postgres/database.js";
import { PostgresServer } from "../support/postgres/server.js";
import { Wire } from "../support/postgres/wire.js";
import { until } from "../support/until.js";

const UNAVAILABLE = { status: 503, headers: { "retry-after": "1" }, json: { code: "unavailable" } };
const pet = { name: "Rex", categoryId: 1 };
const describeServer = POSTGRES_URL === undefined ? describe.skip : describe;

afterEach(endProcesses);

async function readAll(store: PetStore): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let path: string | undefined = "/v1/pets?limit=100"; path !== undefined;) {
    const { json, headers }: Answer = await store.call(path);
    ids.push(...(json as PetJson[]).map(({ id }) => id));
    path = /^<([^>]+)>/.exec(String(headers["link"] ?? ""))?.[1];
  }
  return ids;
}

const becomes = (status: number, store: PetStore, path: string): Promise<void> =>
  until(async () => (await store.call(path)).status === status);

describeServer("a service whose PostgreSQL server", () => {
  let server: PostgresServer;
  let store: PetStore;
  beforeAll(async () => {
    server = await PostgresServer.create();
    store = await startPetStore({ env: { DATABASE_URL: server.url } });
  });
  afterAll(async () => {
    await store.stop();
    await server.destroy();
  });

  test.each(["SIGKILL", "SIGINT"] as const)(
    "is ended by %s under load answers 503 meanwhile, heals, and has lost nothing that it acknowledged",
    async (signal) => {
      const acknowledged: number[] = [];
      const refused: Answer[] = [];
      const load = new AbortController();
      const clients = Array.from({ length: 8 }, async () => {
        while (!load.signal.aborted) {
          const answer = await store.call("/v1/pets", { json: pet });
          if (answer.status === 201) acknowledged.push((answer.json as PetJson).id);
          else refused.push(answer);
        }
      });
      const count = acknowledged.length;
      await until(() => acknowledged.length >= count + 50);
      await server.stop(signal);
      await becomes(503, store, "/readyz");
      await until(() => refused.length > 0);
      expect(await store.call("/healthz")).toMatchObject({ status: 200 });
      expect(await store.call("/readyz")).toMatchObject(UNAVAILABLE);
      expect(await store.call("/v1/pets")).toMatchObject(UNAVAILABLE);

      await server.start();
      await becomes(200, store, "/readyz");
      const healed = acknowledged.length;
      await until(() => acknowledged.length >= healed + 50);
      load.abort();
      await Promise.all(clients);

      for (const answer of refused) expect(answer).toMatchObject(UNAVAILABLE);
      const kept = await readAll(store);
      expect(kept).toStrictEqual([...new Set(kept)].sort((a, b) => a - b));
      expect(acknowledged.filter((id) => !kept.includes(id))).toStrictEqual([]);
    },
  );
});

describeServer("a service whose way to PostgreSQL lets nothing through", () => {
  test("answers 503 within its limit, heals, and ends in time when it is told to", async () => {
    const wire = await Wire.to(await createDatabase());
    const service = startProcess({ env: { DATABASE_URL: wire.url, SHUTDOWN_GRACE_MS: "500" } });
    const url = await service.listening();
    // The first key is issued after that.
    await service.says(/^ {2}curl /);
    const ready = (status: number): Promise<void> =>
      until(async () => (await fetch(`${url}/readyz`)).status === status);
    await ready(200);

    wire.block();
    await ready(503);
    wire.mend();
    await ready(200);

    wire.block();
    service.kill("SIGTERM");
    expect(await service.ended()).toStrictEqual({ code: 0, signal: null });
    await wire.close();
  });
});
