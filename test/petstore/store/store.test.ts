import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { createHash, randomUUID } from "node:crypto";
import type { Engine } from "../../../src/petstore/store/migrations.js";
import {
  type Pet,
  type PetQuery,
  type PetStatus,
  type Store,
  type StoredKey,
  StoreUnavailableError,
} from "../../../src/petstore/store/store.js";
import { describeEngines } from "./engines.js";

const ACTOR = "ann@host";

/** Makes the next `id` the last one that a number holds exactly. */
const LAST_ID_BUT_ONE: Readonly<Record<Engine, string>> = {
  sqlite: "update sqlite_sequence set seq = 9007199254740990",
  postgres: "update pet_ids set last = 9007199254740990",
};

/** Lets no idempotency key be kept. */
const KEEP_NO_KEYS: Readonly<Record<Engine, string>> = {
  sqlite: "create trigger fail before insert on idempotency_keys begin select raise(abort, 'no'); end",
  postgres: "alter table idempotency_keys add check (pet_id < 0)",
};

const once = { caller: "k_1", key: '"a"' };

describeEngines((engine) => {
  let url: string;
  let store: Store;
  beforeEach(async () => {
    url = await engine.create();
    store = await engine.open(url);
  });
  afterEach(async () => {
    await store.close();
  });

  describe("pets", () => {
    test("create: answers the animal with an id, and get finds the same", async () => {
      const pet = await store.pets.create({ name: "Rex", categoryId: 3, status: "sold" });
      expect(pet).toStrictEqual({ id: pet.id, name: "Rex", categoryId: 3, status: "sold" });
      expect(await store.pets.get(pet.id)).toStrictEqual(pet);
    });

    test("create: tells of each commit how many creations share it", async () => {
      const commits: number[] = [];
      const onCommit = (creations: number, seconds: number): void => {
        expect(seconds).toBeGreaterThan(0);
        commits.push(creations);
      };
      const told = await engine.open(url, { onCommit });
      const create = (): Promise<Pet> => told.pets.create({ name: "Rex", categoryId: 3 });
      await Promise.all([create(), create(), create()]);
      await create();
      expect(commits).toStrictEqual([3, 1]);
      await told.close();
    });

    test("create: an omitted status stays omitted", async () => {
      const pet = await store.pets.create({ name: "Rex", categoryId: 3 });
      expect(pet).toStrictEqual({ id: pet.id, name: "Rex", categoryId: 3 });
      expect(await store.pets.get(pet.id)).toStrictEqual(pet);
      expect(await store.pets.list({ limit: 1 })).toStrictEqual({ pets: [pet] });
    });

    test.each([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 2 ** 31, -(2 ** 31) - 1, 0])(
      "create: categoryId %p is kept exactly",
      async (categoryId) => {
        const { id } = await store.pets.create({ name: "Rex", categoryId });
        expect(await store.pets.get(id)).toStrictEqual({ id, name: "Rex", categoryId });
      },
    );

    test("create: categoryId -0 is kept as 0", async () => {
      const pet = await store.pets.create({ name: "Rex", categoryId: -0 });
      expect(pet.categoryId).toBe(0);
    });

    test.each(["", "é漢字🐕", "O'Neill \"; drop table pets", "a\nb", " x ".repeat(5000)])(
      "create: the name is kept exactly (%#)",
      async (name) => {
        const { id } = await store.pets.create({ name, categoryId: 1 });
        expect((await store.pets.get(id))?.name).toBe(name);
      },
    );

    test("create: concurrent creations get ids of their own, in the order of the calls", async () => {
      const pets = await Promise.all(
        Array.from({ length: 50 }, (_, i) => store.pets.create({ name: `${i}`, categoryId: i })),
      );
      expect(pets.map(({ name }) => name)).toStrictEqual(pets.map((_, i) => `${i}`));
      expect(pets.map(({ id }) => id)).toStrictEqual(
        [...new Set(pets.map(({ id }) => id))].sort((a, b) => a - b),
      );
    });

    test.each([1.5, 2 ** 53, -(2 ** 53), Infinity])(
      "create: a row with categoryId %p is refused and the others of its turn are kept",
      async (categoryId) => {
        const results = await Promise.allSettled(
          [1, categoryId, 2].map((value) => store.pets.create({ name: "Rex", categoryId: value })),
        );
        expect(results.map(({ status }) => status)).toStrictEqual(["fulfilled", "rejected", "fulfilled"]);
        const { pets } = await store.pets.list({ limit: 10 });
        expect(pets.map((pet) => pet.categoryId)).toStrictEqual([1, 2]);
      },
    );

    test("create: an id is never used again", async () => {
      const { id } = await store.pets.create({ name: "Rex", categoryId: 1 });
      await engine.query(url, "delete from pets");
      expect((await store.pets.create({ name: "Rex", categoryId: 1 })).id).toBe(id + 1);
    });

    test("create: past the last id that JSON carries exactly, it is refused and not kept", async () => {
      await store.pets.create({ name: "Rex", categoryId: 1 });
      await engine.query(url, LAST_ID_BUT_ONE[engine.name]);
      const last = await store.pets.create({ name: "Rex", categoryId: 1 });
      expect(last.id).toBe(Number.MAX_SAFE_INTEGER);
      await expect(store.pets.create({ name: "Rex", categoryId: 1 })).rejects.toThrow();
      expect((await store.pets.list({ limit: 10 })).pets).toHaveLength(2);
    });

    test("createOnce: keeps one animal for a key, in whatever order and company it is called", async () => {
      const rex = { name: "Rex", categoryId: -0 };
      const [plain, first, second, other, tom] = await Promise.all([
        store.pets.create(rex),
        store.pets.createOnce(rex, once),
        store.pets.createOnce(rex, once),
        store.pets.createOnce(rex, { ...once, caller: "k_2" }),
        store.pets.createOnce({ ...rex, name: "Tom" }, once),
      ]);
      const id = plain.id;
      expect([plain, first, second, other, tom]).toStrictEqual([
        { id, name: "Rex", categoryId: 0 },
        { pet: { id: id + 1, name: "Rex", categoryId: 0 }, isReplay: false },
        { pet: { id: id + 1, name: "Rex", categoryId: 0 }, isReplay: true },
        { pet: { id: id + 2, name: "Rex", categoryId: 0 }, isReplay: false },
        undefined,
      ]);
      expect((await store.pets.list({ limit: 10 })).pets).toHaveLength(3);
    });

    test("createOnce: neither caller nor key is taken for the other", async () => {
      const rex = { name: "Rex", categoryId: 1 };
      const keys = [
        { caller: "a b", key: "c" },
        { caller: "a", key: "b c" },
        { caller: "b c", key: "a" },
      ];
      const created = await Promise.all(keys.map((key) => store.pets.createOnce(rex, key)));
      expect(created.map((one) => one?.isReplay)).toStrictEqual([false, false, false]);
    });

    test("createOnce: the first answer stands, whatever became of the animal", async () => {
      const rex = { name: "Rex", categoryId: 1, status: "sold" } as const;
      const first = await store.pets.createOnce(rex, once);
      await engine.query(url, "delete from pets");
      expect(await store.pets.createOnce(rex, once)).toStrictEqual({ ...first, isReplay: true });
    });

    test("createOnce: a row that is refused uses no key, and the others of its turn are kept", async () => {
      const create = (name: string, categoryId: number, key: string) =>
        store.pets.createOnce({ name, categoryId }, { ...once, key });
      const results = await Promise.allSettled([
        create("a", 1, "a"),
        create("b", 0.5, "b"),
        create("c", 1, "c"),
      ]);
      expect(results.map(({ status }) => status)).toStrictEqual(["fulfilled", "rejected", "fulfilled"]);
      expect(await create("b", 1, "b")).toMatchObject({ isReplay: false });
    });

    test("createOnce: no animal is kept without its key", async () => {
      await engine.query(url, KEEP_NO_KEYS[engine.name]);
      await expect(store.pets.createOnce({ name: "Rex", categoryId: 1 }, once)).rejects.toThrow();
      expect(await store.pets.list({ limit: 10 })).toStrictEqual({ pets: [] });
      await expect(store.pets.create({ name: "Rex", categoryId: 1 })).resolves.toBeDefined();
    });

    test.each([0, -1, 999, Number.MAX_SAFE_INTEGER])("get: nobody has id %p", async (id) => {
      expect(await store.pets.get(id)).toBeUndefined();
    });

    test("list: an empty store has one empty page", async () => {
      expect(await store.pets.list({ limit: 20 })).toStrictEqual({ pets: [] });
    });

    test.each<[Pick<PetQuery, "status">, number]>([
      [{}, 1],
      [{}, 7],
      [{}, 30],
      [{}, 31],
      [{ status: "sold" }, 3],
      [{ status: "pending" }, 10],
    ])("list: pages of %p by %p cover every animal once, in ascending id", async (filter, limit) => {
      const statuses: readonly (PetStatus | undefined)[] = ["sold", "pending", undefined];
      const all = await createAll(store, statuses);
      const expected = all.filter((pet) => filter.status === undefined || pet.status === filter.status);
      const pages = await walk(store, { ...filter, limit });
      expect(pages.flat()).toStrictEqual(expected);
      expect(pages.every((page) => page.length <= limit)).toBe(true);
      expect(pages).toHaveLength(Math.ceil(expected.length / limit));
    });

    test("list: animals present for the whole walk are seen exactly once while others arrive", async () => {
      const before = await createAll(store, ["available"]);
      const arriving: Promise<Pet>[] = [];
      const pages = await walk(store, { limit: 4 }, () => {
        if (arriving.length < 40) {
          arriving.push(
            store.pets.create({ name: "new", categoryId: 1 }),
            store.pets.create({ name: "new", categoryId: 2 }),
          );
        }
      });
      const seen = pages.flat().map(({ id }) => id);
      await Promise.all(arriving);
      expect(seen).toStrictEqual([...new Set(seen)].sort((a, b) => a - b));
      expect(seen).toEqual(expect.arrayContaining(before.map(({ id }) => id)));
    });
  });

  describe("keys", () => {
    test("insert: get, list and findByHash give back what was kept", async () => {
      const bare = createKey({});
      const full = createKey({ expiresAt: new Date("2030-12-05T00:00:00.001Z") });
      await store.keys.insert(bare, ACTOR);
      await store.keys.insert(full, ACTOR);
      const { hash, ...record } = full;
      expect(await store.keys.get(full.id)).toStrictEqual(record);
      expect((await store.keys.list()).map(({ id }) => id).sort()).toStrictEqual([bare.id, full.id].sort());
      const found = await store.keys.findByHash(hash);
      expect(found).toMatchObject(record);
      expect(Buffer.from(found?.hash ?? [])).toStrictEqual(Buffer.from(hash));
    });

    test("insert: the same hash is refused", async () => {
      const key = createKey({});
      await store.keys.insert(key, ACTOR);
      await expect(store.keys.insert({ ...createKey({}), hash: key.hash }, ACTOR)).rejects.toThrow();
    });

    test("replace: keeps the successor and ends the old key; the second time it changes nothing", async () => {
      const [old, next, other] = [createKey({}), createKey({}), createKey({})];
      const at = new Date("2026-11-22T00:00:00Z");
      const ending = { expiresAt: at, actor: ACTOR };
      await store.keys.insert(old, ACTOR);
      expect(await store.keys.replace(old.id, { successor: next, ...ending })).toBe(true);
      expect(await store.keys.get(old.id)).toMatchObject({ expiresAt: at, replacedBy: next.id });
      expect(await store.keys.replace(old.id, { successor: other, ...ending })).toBe(false);
      expect(await store.keys.replace("nobody", { successor: other, ...ending })).toBe(false);
      expect(await store.keys.list()).toHaveLength(2);
    });

    test("replace: a successor that is refused leaves the old key as it was", async () => {
      const old = createKey({});
      await store.keys.insert(old, ACTOR);
      await expect(
        store.keys.replace(old.id, {
          successor: { ...createKey({}), hash: old.hash },
          expiresAt: new Date(),
          actor: ACTOR,
        }),
      ).rejects.toThrow();
      expect(await store.keys.get(old.id)).not.toHaveProperty("replacedBy");
      expect(await store.keys.get(old.id)).not.toHaveProperty("expiresAt");
      expect((await store.keys.listEvents()).map(({ event }) => event)).toStrictEqual(["issue"]);
    });

    test("listEvents: what was done, once each, in its order; a refused change leaves none", async () => {
      const day = (count: number): Date => new Date(Date.UTC(2026, 10, count));
      const [old, next] = [createKey({ createdAt: day(21) }), createKey({ createdAt: day(22) })];
      const at = day(23);
      await store.keys.insert(old, ACTOR);
      await store.keys.replace(old.id, { successor: next, expiresAt: at, actor: "bob@host" });
      await store.keys.replace(old.id, { successor: createKey({}), expiresAt: at, actor: "eve@host" });
      await store.keys.revoke(old.id, { at, actor: "cid@host" });
      await store.keys.revoke(old.id, { at: day(24), actor: "eve@host" });
      await store.keys.revoke("nobody", { at, actor: "eve@host" });
      const ofOld = [
        { keyId: old.id, event: "issue", at: old.createdAt, actor: ACTOR },
        { keyId: old.id, event: "rotate", at: next.createdAt, actor: "bob@host", successor: next.id },
        { keyId: old.id, event: "revoke", at, actor: "cid@host" },
      ];
      const ofNext = { keyId: next.id, event: "issue", at: next.createdAt, actor: "bob@host" };
      expect(await store.keys.listEvents(old.id)).toStrictEqual(ofOld);
      expect(await store.keys.listEvents(next.id)).toStrictEqual([ofNext]);
      expect(await store.keys.listEvents()).toStrictEqual([ofOld[0], ofNext, ofOld[1], ofOld[2]]);
    });

    test("recordUses: the latest use is listed, whichever is written last", async () => {
      const [used, unused] = [createKey({}), createKey({})];
      const [early, late] = [new Date("2026-11-22T00:00:00Z"), new Date("2026-11-22T00:00:00.001Z")];
      await store.keys.insert(used, ACTOR);
      await store.keys.insert(unused, ACTOR);
      for (const at of [early, late, early]) await store.keys.recordUses(new Map([[used.id, at]]));
      await store.keys.recordUses(new Map());
      const listed = new Map((await store.keys.list()).map((key) => [key.id, key.lastUsedAt]));
      expect(listed).toStrictEqual(
        new Map<string, Date | undefined>([
          [used.id, late],
          [unused.id, undefined],
        ]),
      );
    });

    test("revoke: the first instant stays", async () => {
      const key = createKey({});
      await store.keys.insert(key, ACTOR);
      const at = new Date("2026-11-22T00:00:00Z");
      expect((await store.keys.revoke(key.id, { at, actor: ACTOR }))?.revokedAt).toStrictEqual(at);
      expect((await store.keys.revoke(key.id, { at: new Date(), actor: ACTOR }))?.revokedAt).toStrictEqual(
        at,
      );
      expect(
        await store.keys.replace(key.id, { successor: createKey({}), expiresAt: at, actor: ACTOR }),
      ).toBe(false);
      expect(await store.keys.revoke("nobody", { at, actor: ACTOR })).toBeUndefined();
    });
  });

  test("ping: resolves while the database can be written, and leaves nothing behind", async () => {
    await Promise.all([store.ping(), store.ping()]);
    const { id } = await store.pets.create({ name: "Rex", categoryId: 1 });
    await store.ping();
    const next = await store.pets.create({ name: "Tom", categoryId: 2 });
    expect(next.id).toBe(id + 1);
    expect(await store.pets.list({ limit: 10, after: id - 1 })).toStrictEqual({
      pets: [{ id, name: "Rex", categoryId: 1 }, next],
    });
  });

  test("close: creations that wait are kept and answered; every later call rejects", async () => {
    const creation = store.pets.create({ name: "Rex", categoryId: 1 });
    const creationOnce = store.pets.createOnce({ name: "Rex", categoryId: 1 }, once);
    await store.close();
    await expect(creation).resolves.toMatchObject({ name: "Rex" });
    await expect(creationOnce).resolves.toMatchObject({ pet: { name: "Rex" } });
    for (const call of [
      () => store.pets.create({ name: "Rex", categoryId: 1 }),
      () => store.pets.createOnce({ name: "Rex", categoryId: 1 }, once),
      () => store.pets.get(1),
      () => store.pets.list({ limit: 1 }),
      () => store.keys.list(),
      () => store.keys.insert(createKey({}), ACTOR),
      () => store.ping(),
    ]) {
      await expect(call()).rejects.toThrow(StoreUnavailableError);
    }
    await expect(store.close()).resolves.toBeUndefined();
  });
});

async function createAll(store: Store, statuses: readonly (PetStatus | undefined)[]): Promise<Pet[]> {
  return Promise.all(
    Array.from({ length: 30 }, (_, i) => {
      const status = statuses[i % statuses.length];
      return store.pets.create({ name: `${i}`, categoryId: i, ...(status && { status }) });
    }),
  );
}

async function walk(store: Store, query: PetQuery, afterPage?: () => void): Promise<(readonly Pet[])[]> {
  const pages: (readonly Pet[])[] = [];
  let after: number | undefined;
  do {
    const page = await store.pets.list({ ...query, after });
    pages.push(page.pets);
    after = page.next;
    afterPage?.();
    await new Promise(setImmediate);
  } while (after !== undefined);
  return pages;
}

function createKey(fields: Partial<StoredKey>): StoredKey {
  const id = randomUUID();
  return {
    id,
    name: "shop",
    createdAt: new Date(),
    hash: createHash("sha256").update(id).digest(),
    ...fields,
  };
}
