import { expect, test } from "@jest/globals";
import { join } from "node:path";
import { generateKey } from "../../../src/petstore/keys/key.js";
import { Keys } from "../../../src/petstore/keys/keys.js";
import { cacheKeys, type FindKeys, KEY_CACHE_MS } from "../../../src/petstore/store/postgres/cached-keys.js";
import { openSqliteStore } from "../../../src/petstore/store/sqlite/index.js";
import { type KeyStore, StoreUnavailableError } from "../../../src/petstore/store/store.js";
import { createDirectory } from "../../support/directory.js";

/** Finds each key in a store of the other engine. */
function findIn(store: KeyStore): FindKeys {
  return async (hashes) => {
    const keys = await Promise.all(hashes.map((hash) => store.findByHash(hash)));
    return keys.filter((key) => key !== undefined);
  };
}

test("the time that the README tells", () => {
  expect(KEY_CACHE_MS).toBe(10_000);
});

test("what another process revokes passes until the time is over, and not any longer", async () => {
  const file = join(createDirectory(), "pets.db");
  const [here, there] = [await openSqliteStore(file), await openSqliteStore(file)];
  const lifetimeMs = 300;
  let now = 0;
  const keys = new Keys(cacheKeys(here.keys, findIn(here.keys), { lifetimeMs, now: () => now }));
  const { key, id } = await new Keys(there.keys).issue({ name: "shop" });
  expect(await keys.authenticateKey(key)).toMatchObject({ id });
  await new Keys(there.keys).revoke(id);
  // Asking again and again does not keep it.
  for (; now < lifetimeMs; now += 20) expect(await keys.authenticateKey(key)).toMatchObject({ id });
  expect(await keys.authenticateKey(key)).toBeUndefined();
  await here.close();
  await there.close();
});

test("keys are looked up with one query at a time, which those that arrive meanwhile share", async () => {
  const store = await openSqliteStore(":memory:");
  const issued = new Keys(store.keys);
  const known = await Promise.all(Array.from({ length: 50 }, () => issued.issue({ name: "shop" })));
  const sizes: number[] = [];
  let running = 0;
  const find = findIn(store.keys);
  const keys = new Keys(
    cacheKeys(store.keys, async (hashes) => {
      sizes.push(hashes.length);
      running += 1;
      expect(running).toBe(1);
      const found = await find(hashes);
      running -= 1;
      return found;
    }),
  );
  const texts = known.flatMap(({ key }) => [key, generateKey(), key]);
  const principals = await Promise.all(texts.map((text) => keys.authenticateKey(text)));
  expect(principals.map((principal) => principal?.id)).toStrictEqual(
    known.flatMap(({ id }) => [id, undefined, id]),
  );
  // The first does not wait for others, and no key is looked up twice.
  expect(sizes).toStrictEqual([1, 99]);
  await store.close();
});

test("look-ups behind an unavailable database fail with it, and the next one asks again", async () => {
  const store = await openSqliteStore(":memory:");
  const { key, id } = await new Keys(store.keys).issue({ name: "shop" });
  let fails = true;
  let queries = 0;
  const find = findIn(store.keys);
  const keys = new Keys(
    cacheKeys(store.keys, async (hashes) => {
      queries += 1;
      await Promise.resolve();
      if (fails) throw new StoreUnavailableError("The database is unavailable.");
      return find(hashes);
    }),
  );
  const outcomes = await Promise.allSettled(
    [key, generateKey(), generateKey()].map((text) => keys.authenticateKey(text)),
  );
  expect(outcomes.map(({ status }) => status)).toStrictEqual(["rejected", "rejected", "rejected"]);
  expect(queries).toBe(1);
  fails = false;
  expect(await keys.authenticateKey(key)).toMatchObject({ id });
  await store.close();
});
