import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { KeyUses } from "../../../src/petstore/keys/key-uses.js";
import { loadSqliteDriver } from "../../../src/petstore/store/sqlite/driver.js";
import { openSqliteStore } from "../../../src/petstore/store/sqlite/index.js";
import { type Store, StoreUnavailableError } from "../../../src/petstore/store/store.js";
import { createDirectory } from "../../support/directory.js";
import { startPetStore } from "../../support/petstore.js";
import { GIVE_UP_MS, until } from "../../support/until.js";
import { describeEngines } from "../store/engines.js";

let store: Store;
/** How many uses each write had. */
let writes: number[];
/** The store, counting. */
let counting: { recordUses: Store["keys"]["recordUses"] };

beforeEach(async () => {
  store = await openSqliteStore(":memory:");
  writes = [];
  counting = {
    recordUses(uses) {
      writes.push(uses.size);
      return store.keys.recordUses(uses);
    },
  };
});
afterEach(() => store.close());

test("uses of an interval are one write, at its end, and none follows when nothing was used", async () => {
  const uses = new KeyUses(counting, { intervalMs: 30 });
  for (let i = 0; i < 1000; i++) uses.record(`k_${i % 3}`);
  expect(writes).toStrictEqual([]);
  await until(() => writes.length > 0);
  // Time for a write that must not follow.
  await sleep(100);
  expect(writes).toStrictEqual([3]);
  uses.record("k_1");
  await until(() => writes.length > 1);
  expect(writes).toStrictEqual([3, 1]);
});

test("many keys are written some at a time", async () => {
  const uses = new KeyUses(counting);
  for (let i = 0; i < 2500; i++) uses.record(`k_${i}`);
  await uses.flush();
  expect(writes).toStrictEqual([1000, 1000, 500]);
});

test("what cannot be written fails nobody, and is written with the next use", async () => {
  const failures: unknown[] = [];
  const other = await openSqliteStore(":memory:");
  await other.close();
  let target = other;
  const uses = new KeyUses(
    { recordUses: (some) => target.keys.recordUses(some) },
    { intervalMs: 5, onFailure: (error) => failures.push(error) },
  );
  uses.record("k_1");
  await uses.flush();
  expect(failures).toStrictEqual([expect.any(StoreUnavailableError)]);
  target = store;
  uses.record("k_2");
  await uses.flush();
  await store.keys.insert(
    { id: "k_1", name: "x", createdAt: new Date(), hash: Buffer.alloc(32, 1) },
    "ann@host",
  );
  expect((await store.keys.list())[0]).toHaveProperty("lastUsedAt");
});

test("uses that another process's write keeps waiting are written after it, and the event loop goes on", async () => {
  const file = join(createDirectory(), "pets.db");
  // It waits for far longer than the lock is held, also on a slow machine.
  const options = { busyTimeoutMs: GIVE_UP_MS };
  const [waiting, other] = [
    await openSqliteStore(file, options),
    new (loadSqliteDriver().DatabaseSync)(file),
  ];
  const uses = new KeyUses(waiting.keys, {
    onFailure: (error) => {
      throw error;
    },
  });
  other.exec("begin immediate");
  uses.record("k_1");
  const flushed = uses.flush();
  await sleep(50);
  other.exec("rollback");
  await flushed;
  expect(other.prepare("select key_id from key_uses").all()).toHaveLength(1);
  other.close();
  await waiting.close();
});

describeEngines((engine) => {
  test("a service that stops has written down which keys were used, and only those that passed", async () => {
    const url = await engine.create();
    const service = await startPetStore({ env: { DATABASE_URL: url } });
    const before = Date.now();
    await service.call("/v1/pets");
    await service.call("/v1/pets", { key: `petstore_${"0".repeat(49)}` });
    await service.stop();
    const after = await engine.open(url);
    const [key] = await after.keys.list();
    await after.close();
    expect(key?.lastUsedAt?.getTime()).toBeGreaterThanOrEqual(before);
    expect(key?.lastUsedAt?.getTime()).toBeLessThanOrEqual(Date.now());
  });
});
