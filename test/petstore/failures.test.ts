import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createApp } from "../../src/petstore/app.js";
import { loadConfig } from "../../src/petstore/config.js";
import { Keys } from "../../src/petstore/keys/keys.js";
import { createLogger } from "../../src/petstore/log.js";
import { openStore } from "../../src/petstore/store/open.js";
import { loadSqliteDriver, type SqliteDatabase } from "../../src/petstore/store/sqlite/driver.js";
import { createDirectory } from "../support/directory.js";
import { close, listen } from "../support/http.js";
import { callsTo, startPetStore, type PetStore } from "../support/petstore.js";
import { until } from "../support/until.js";

const UNAVAILABLE = { status: 503, headers: { "retry-after": "1" }, json: { code: "unavailable" } };
const pet = { name: "Rex", categoryId: 1 };

describe("while another process holds the database", () => {
  let store: PetStore;
  let other: SqliteDatabase;
  beforeAll(async () => {
    const file = join(createDirectory(), "pets.db");
    store = await startPetStore({ env: { DATABASE_URL: `sqlite:${file}` } });
    other = new (loadSqliteDriver().DatabaseSync)(file);
  });
  afterAll(async () => {
    other.close();
    await store.stop();
  });

  test("creations are 503 and reads go on; afterwards all is well, and nothing refused was kept", async () => {
    const { id } = await store.create(pet);
    other.exec("begin immediate");
    const refused = await store.call("/v1/pets", { json: pet });
    const [list, read] = [await store.call("/v1/pets"), await store.call(`/v1/pets/${id}`)];
    other.exec("rollback");
    expect(refused).toMatchObject(UNAVAILABLE);
    expect([list.status, read.status]).toStrictEqual([200, 200]);
    expect((await store.create(pet)).id).toBe(id + 1);
  });

  test("a key store that fails is a 5xx, never a 401, and heals by itself", async () => {
    other.exec("alter table api_keys rename to hidden");
    const failed = await store.call("/v1/pets");
    other.exec("alter table hidden rename to api_keys");
    expect(failed).toMatchObject({ status: 500, json: { code: "internal_error" } });
    expect(failed.headers).not.toHaveProperty("www-authenticate");
    expect(await store.call("/v1/pets")).toMatchObject({ status: 200 });
  });

  test("readiness is red too for what is nobody's fault but ours, and turns green by itself", async () => {
    const becomes = (status: number): Promise<void> =>
      until(async () => (await store.call("/readyz", { key: null })).status === status);
    await becomes(200);
    other.exec("alter table pets rename to hidden");
    await becomes(500);
    expect(await store.call("/healthz", { key: null })).toMatchObject({ status: 200 });
    other.exec("alter table hidden rename to pets");
    await becomes(200);
  });
});

describe("with a store that is away", () => {
  const server = createServer();
  let calls: Omit<PetStore, "stop">;
  beforeAll(async () => {
    const store = await openStore("sqlite::memory:");
    const keys = new Keys(store.keys);
    const { key } = await keys.issue({ name: "test" });
    const config = loadConfig({ BODY_LIMIT_BYTES: "1000" });
    const readiness = { draining: false };
    server.on("request", createApp({ config, store, keys, logger: createLogger("silent"), readiness }));
    calls = callsTo(`http://127.0.0.1:${await listen(server)}`, key);
    expect(await calls.call("/v1/pets")).toMatchObject({ status: 200 });
    await store.close();
  });
  afterAll(() => close(server));

  test.each(["/v1/pets", "/v1/pets/1", "/v1/store/orders"])("%s is 503, not 401", async (path) => {
    const answer = await calls.call(path);
    expect(answer).toMatchObject(UNAVAILABLE);
    expect(answer.headers).not.toHaveProperty("www-authenticate");
  });

  test("an unknown key is 503 too, since nobody can tell; none at all is 401", async () => {
    const { key } = await new Keys((await openStore("sqlite::memory:")).keys).issue({ name: "other" });
    expect(await calls.call("/v1/pets", { key })).toMatchObject(UNAVAILABLE);
    expect(await calls.call("/v1/pets", { key: null })).toMatchObject({ status: 401 });
  });

  test("readiness is red, the process is alive", async () => {
    expect(await calls.call("/readyz", { key: null })).toMatchObject(UNAVAILABLE);
    expect(await calls.call("/healthz", { key: null })).toMatchObject({ status: 200 });
  });

  test("a caller that goes away before the answer harms nobody", async () => {
    const away = fetch(`${calls.url}/healthz`, { signal: AbortSignal.timeout(0) });
    await expect(away).rejects.toThrow();
    expect(await calls.call("/healthz")).toMatchObject({ status: 200 });
  });
});
