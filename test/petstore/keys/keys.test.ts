import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generateKey } from "../../../src/petstore/keys/key.js";
import { KeyError, Keys } from "../../../src/petstore/keys/keys.js";
import { openSqliteStore } from "../../../src/petstore/store/sqlite/index.js";
import { type Store, StoreUnavailableError } from "../../../src/petstore/store/store.js";
import { createDirectory } from "../../support/directory.js";

const HOUR_MS = 3_600_000;
const start = new Date("2026-11-21T12:00:00.000Z");

let directory: string;
let store: Store;
let keys: Keys;
let now: Date;

beforeEach(async () => {
  directory = createDirectory();
  store = await openSqliteStore(join(directory, "pets.db"));
  now = start;
  keys = new Keys(store.keys, { now: () => now });
});

afterEach(async () => {
  await store.close();
});

describe("authenticateKey", () => {
  test("an issued key stands for its id and name", async () => {
    const { key, id } = await keys.issue({ name: "Web shop" });
    expect(await keys.authenticateKey(key)).toStrictEqual({ id, name: "Web shop" });
  });

  test.each(["", "secret", `petstore_${"0".repeat(49)}`, generateKey()])(
    "%p stands for nobody",
    async (key) => {
      await keys.issue({ name: "Web shop" });
      expect(await keys.authenticateKey(key)).toBeUndefined();
    },
  );

  test("a key fails from its expiry on", async () => {
    const { key } = await keys.issue({ name: "Web shop", expiresAt: after(1) });
    now = new Date(after(1).getTime() - 1);
    expect(await keys.authenticateKey(key)).toBeDefined();
    now = after(1);
    expect(await keys.authenticateKey(key)).toBeUndefined();
  });

  test("a key that another process revokes fails at once", async () => {
    const { key, id } = await keys.issue({ name: "Web shop" });
    expect(await keys.authenticateKey(key)).toBeDefined();
    const other = await openSqliteStore(join(directory, "pets.db"));
    await new Keys(other.keys).revoke(id);
    expect(await keys.authenticateKey(key)).toBeUndefined();
    await other.close();
  });

  test("a store that fails rejects: it never makes a key invalid", async () => {
    const { key } = await keys.issue({ name: "Web shop" });
    await store.close();
    await expect(keys.authenticateKey(key)).rejects.toThrow(StoreUnavailableError);
  });
});

describe("onUse", () => {
  test("hears of each key that passes, and of no other", async () => {
    const used: string[] = [];
    const heard = new Keys(store.keys, { now: () => now, onUse: (id) => used.push(id) });
    const [good, revoked] = [await keys.issue({ name: "good" }), await keys.issue({ name: "revoked" })];
    await keys.revoke(revoked.id);
    for (const { key } of [good, revoked, good]) await heard.authenticateKey(key);
    await heard.authenticateKey(generateKey());
    expect(used).toStrictEqual([good.id, good.id]);
  });
});

describe("issue", () => {
  test.each(["x", "Web shop", "é漢字🐕", "🐕".repeat(100)])("accepts the name %p", async (name) => {
    await expect(keys.issue({ name })).resolves.toMatchObject({ name });
  });

  test.each([
    "",
    "  ",
    "\u00a0",
    "a\nb",
    "a\u0000",
    "a\u001b[2J",
    "a\u202eb",
    "a\u2028b",
    "\ud800",
    "x".repeat(101),
  ])("refuses the name %j", async (name) => {
    await expect(keys.issue({ name })).rejects.toThrow(KeyError);
  });

  test("stores the key's text nowhere", async () => {
    const { key, id } = await keys.issue({ name: "Web shop" });
    const { key: successor } = await keys.rotate(id);
    const files = readdirSync(directory).map((file) => readFileSync(join(directory, file)));
    const holds = (text: string) => files.some((content) => content.includes(text));
    expect(holds(id)).toBe(true);
    for (const secret of [key, successor]) {
      expect(holds(secret)).toBe(false);
      expect(holds(secret.slice("petstore_".length, -6))).toBe(false);
    }
    expect(JSON.stringify(await keys.list())).not.toContain("petstore_");
  });
});

describe("rotate", () => {
  test("both keys pass for the overlap, then only the new one", async () => {
    const old = await keys.issue({ name: "Web shop" });
    const next = await keys.rotate(old.id);
    expect(next.oldExpiresAt).toStrictEqual(after(24));
    now = new Date(after(24).getTime() - 1);
    expect(await keys.authenticateKey(old.key)).toStrictEqual({ id: old.id, name: "Web shop" });
    expect(await keys.authenticateKey(next.key)).toStrictEqual({ id: next.id, name: "Web shop" });
    now = after(24);
    expect(await keys.authenticateKey(old.key)).toBeUndefined();
    expect(await keys.authenticateKey(next.key)).toBeDefined();
  });

  test("without an overlap the old key fails at once", async () => {
    const old = await keys.issue({ name: "Web shop" });
    await keys.rotate(old.id, { overlapHours: 0 });
    expect(await keys.authenticateKey(old.key)).toBeUndefined();
  });

  test("the new key has the old one's lifetime, and the old one's end is not put off", async () => {
    const old = await keys.issue({ name: "Web shop", expiresAt: after(100) });
    now = after(90);
    const next = await keys.rotate(old.id);
    expect(next.oldExpiresAt).toStrictEqual(after(100));
    expect(next.expiresAt).toStrictEqual(after(190));
  });

  test("refuses a key that is unknown, replaced, revoked or expired", async () => {
    const replaced = await keys.issue({ name: "replaced" });
    await keys.rotate(replaced.id);
    const revoked = await keys.issue({ name: "revoked" });
    await keys.revoke(revoked.id);
    const expired = await keys.issue({ name: "expired", expiresAt: start });
    const count = (await keys.list()).length;
    for (const id of ["k_unknown", replaced.id, revoked.id, expired.id]) {
      await expect(keys.rotate(id)).rejects.toThrow(KeyError);
    }
    expect(await keys.list()).toHaveLength(count);
  });
});

describe("revoke and list", () => {
  test("tell the state of each key", async () => {
    const active = await keys.issue({ name: "active" });
    const expired = await keys.issue({ name: "expired", expiresAt: start });
    const revoked = await keys.issue({ name: "revoked" });
    expect(await keys.revoke(revoked.id)).toMatchObject({ state: "revoked", revokedAt: start });
    now = after(1);
    expect(await keys.revoke(revoked.id)).toMatchObject({ revokedAt: start });
    const states = Object.fromEntries((await keys.list()).map(({ id, state }) => [id, state]));
    expect(states).toStrictEqual({ [active.id]: "active", [expired.id]: "expired", [revoked.id]: "revoked" });
  });

  test("revoke refuses an unknown id", async () => {
    await expect(keys.revoke("k_unknown")).rejects.toThrow(KeyError);
  });
});

function after(hours: number): Date {
  return new Date(start.getTime() + hours * HOUR_MS);
}
