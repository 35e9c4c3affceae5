// @thorough: many clients behind a pooler.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { Client } from "pg";
import { openPostgresStore, type PostgresStoreOptions } from "../../../src/petstore/store/postgres/index.js";
import { type Store, StoreUnavailableError } from "../../../src/petstore/store/store.js";
import { createDatabase, POSTGRES_URL, query } from "../../support/postgres/database.js";
import { PGBOUNCER_VERSION, PgBouncer } from "../../support/postgres/pgbouncer.js";
import { GIVE_UP_MS } from "../../support/until.js";

const pet = { name: "Rex", categoryId: 1 };

(POSTGRES_URL === undefined || PGBOUNCER_VERSION === undefined ? describe.skip : describe).each([
  "session",
  "transaction",
] as const)(`PgBouncer ${PGBOUNCER_VERSION ?? ""}, %s pooling`, (mode) => {
  let pooler: PgBouncer;
  let direct: string;
  let stores: Store[];
  beforeAll(async () => {
    // Fewer sessions than the connections of a store: in transaction mode, all of them are shared.
    pooler = await PgBouncer.start(POSTGRES_URL ?? "", mode, mode === "transaction" ? 3 : 20);
  });
  afterAll(() => pooler.stop());
  beforeEach(async () => {
    direct = await createDatabase();
    stores = [];
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
  });

  async function open(options: PostgresStoreOptions = {}): Promise<Store> {
    const store = await openPostgresStore(pooler.toUrl(direct), options);
    stores.push(store);
    return store;
  }

  test("serves many readers and writers of several processes without an error", async () => {
    const writers = [await open(), await open()] as const;
    const key = { id: "k_1", name: "shop", createdAt: new Date(), hash: Buffer.alloc(32, 1) };
    await writers[0].keys.insert(key, "ann@host");
    const work = Array.from({ length: 20 }, (_, writer) => async () => {
      const store = writers[writer % 2 === 0 ? 0 : 1];
      for (let i = 0; i < 10; i++) {
        const { id } = await store.pets.create(pet);
        await store.pets.createOnce(pet, { caller: "k_1", key: `${writer} ${i}` });
        expect(await store.pets.get(id)).toMatchObject(pet);
        await store.pets.list({ limit: 5, status: "sold" });
        expect((await store.pets.list({ limit: 5 })).pets.length).toBeGreaterThan(0);
        await store.keys.list();
        await store.rates.add("k_1", 1);
        await store.ping();
      }
    });
    await Promise.all(work.map((run) => run()));
    expect(await query(direct, "select count(*)::integer as count from pets")).toEqual([{ count: 400 }]);
  });

  test("limits the wait for a lock, and leaves no setting in the sessions of the server", async () => {
    const store = await open({ limits: { connectMs: GIVE_UP_MS, statementMs: GIVE_UP_MS, lockMs: 100 } });
    const other = new Client({ connectionString: direct });
    await other.connect();
    await other.query("begin; select last from pet_ids for update");
    await expect(store.pets.create(pet)).rejects.toMatchObject({ cause: { code: "55P03" } });
    await other.query("rollback");
    await other.end();
    expect(await store.pets.create(pet)).toMatchObject(pet);
    // In session mode too: PgBouncer closes or resets the session before the next client gets it.
    const settings = "select name from pg_settings where name like '%\\_timeout' and source = 'session'";
    expect(await query(pooler.toUrl(direct), settings)).toEqual([]);
  });

  test("limits the time of a transaction's statements", async () => {
    const store = await open({ limits: { connectMs: GIVE_UP_MS, statementMs: 1000, lockMs: GIVE_UP_MS } });
    const other = new Client({ connectionString: direct });
    await other.connect();
    await other.query("begin; select last from pet_ids for update");
    await expect(store.pets.create(pet)).rejects.toMatchObject({ cause: { code: "57014" } });
    await other.end();
  });

  test("leaves the time of reads to a setting of the database or the user", async () => {
    const name = new URL(direct).pathname.slice(1);
    await query(direct, `alter database ${name} set statement_timeout = '1s'`);
    const store = await open({ limits: { connectMs: GIVE_UP_MS, statementMs: GIVE_UP_MS } });
    const other = new Client({ connectionString: direct });
    await other.connect();
    await other.query("begin; lock table pets");
    await expect(store.pets.get(1)).rejects.toMatchObject({ cause: { code: "57014" } });
    await other.end();
  });

  test("is refused as unavailable while it cannot reach the server", async () => {
    const store = await open();
    const name = new URL(direct).pathname.slice(1);
    await query(POSTGRES_URL ?? "", `alter database ${name} with allow_connections false`);
    await query(
      POSTGRES_URL ?? "",
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
    await expect(store.pets.create(pet)).rejects.toThrow(StoreUnavailableError);
    await query(POSTGRES_URL ?? "", `alter database ${name} with allow_connections true`);
  });
});
