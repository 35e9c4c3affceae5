import { expect, test } from "@jest/globals";
import { join } from "node:path";
import { Keys } from "../../../src/petstore/keys/keys.js";
import { cacheKeys, KEY_CACHE_MS } from "../../../src/petstore/store/postgres/cached-keys.js";
import { openSqliteStore } from "../../../src/petstore/store/sqlite/index.js";
import { createDirectory } from "../../support/directory.js";

test("the time that the README tells", () => {
  expect(KEY_CACHE_MS).toBe(10_000);
});

test("what another process revokes passes until the time is over, and not any longer", async () => {
  const file = join(createDirectory(), "pets.db");
  const [here, there] = [await openSqliteStore(file), await openSqliteStore(file)];
  const lifetimeMs = 300;
  let now = 0;
  const keys = new Keys(cacheKeys(here.keys, { lifetimeMs, now: () => now }));
  const { key, id } = await new Keys(there.keys).issue({ name: "shop" });
  expect(await keys.authenticateKey(key)).toMatchObject({ id });
  await new Keys(there.keys).revoke(id);
  // Asking again and again does not keep it.
  for (; now < lifetimeMs; now += 20) expect(await keys.authenticateKey(key)).toMatchObject({ id });
  expect(await keys.authenticateKey(key)).toBeUndefined();
  await here.close();
  await there.close();
});
