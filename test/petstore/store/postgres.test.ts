// @thorough: starts a PostgreSQL server.
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { openPostgresStore, type PostgresStoreOptions } from "../../../src/petstore/store/postgres/index.js";
import { type Store, StoreOpenError, StoreUnavailableError } from "../../../src/petstore/store/store.js";
import { createDatabase, POSTGRES_URL, query } from "../../support/postgres/database.js";
import { Wire } from "../../support/postgres/wire.js";
import { GIVE_UP_MS, until } from "../../support/until.js";

const pet = { name: "Rex", categoryId: 1 };
/** Limits that no machine is too slow for. */
const PATIENT = { connectMs: GIVE_UP_MS, statementMs: GIVE_UP_MS, lockMs: GIVE_UP_MS };

const describeServer = POSTGRES_URL === undefined ? describe.skip : describe;

describeServer("PostgreSQL", () => {
  let url: string;
  let stores: Store[];
  let ended: (() => Promise<unknown>)[];
  beforeEach(async () => {
    url = await createDatabase();
    stores = [];
    ended = [];
  });
  afterEach(async () => {
    for (const end of ended) await end();
    for (const store of stores) await store.close();
  });

  async function open(options: PostgresStoreOptions = {}, address = url): Promise<Store> {
    const store = await openPostgresStore(address, options);
    stores.push(store);
    return store;
  }

  /** Somebody else, in a transaction that stays open. */
  async function begin(sql: string): Promise<Client> {
    const client = new Client({ connectionString: url });
    await client.connect();
    ended.push(() => client.end());
    await client.query("begin");
    await client.query(sql);
    return client;
  }

  /** Resolves to what it gives once it does not fail any more. */
  async function eventually<T>(work: () => Promise<T>): Promise<T> {
    const given: T[] = [];
    await until(() =>
      work().then(
        (value) => given.push(value) > 0,
        () => false,
      ),
    );
    return given[0] as T;
  }

  /** Resolves when so many of the database's processes are as described. */
  const backends = (count: number, condition: string): Promise<void> =>
    until(async () => {
      const sql = `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and ${condition}`;
      return (await query(url, sql)).length === count;
    });
  const waitingForLock = (count: number): Promise<void> => backends(count, "wait_event_type = 'Lock'");

  describe("creations", () => {
    const transactions = "select count(distinct xmin::text)::integer as count from pets";

    test("those of one turn share one transaction, and so do those that arrive meanwhile", async () => {
      const store = await open({ limits: PATIENT });
      await Promise.all(Array.from({ length: 100 }, () => store.pets.create(pet)));
      expect(await query(url, transactions)).toEqual([{ count: 1 }]);
      const other = await begin("select last from pet_ids for update");
      const first = store.pets.create(pet);
      await waitingForLock(1);
      const meanwhile = [store.pets.create(pet), store.pets.create(pet)];
      await other.query("rollback");
      await Promise.all([first, ...meanwhile]);
      expect(await query(url, transactions)).toEqual([{ count: 3 }]);
    });

    test("of several processes get ids without a gap, in the order in which they can be seen", async () => {
      const writers = await Promise.all([open(), open(), open()]);
      const reader = await open();
      const seen: number[] = [];
      const writing = new AbortController();
      const watching = (async () => {
        while (!writing.signal.aborted) {
          const { pets } = await reader.pets.list({ limit: 100, after: seen.at(-1) });
          seen.push(...pets.map(({ id }) => id));
        }
      })();
      const ids = await Promise.all(
        writers.flatMap((writer) =>
          Array.from({ length: 4 }, async () => {
            const own: number[] = [];
            for (let i = 0; i < 25; i++) own.push((await writer.pets.create(pet)).id);
            return own;
          }),
        ),
      );
      writing.abort();
      await watching;
      seen.push(...(await reader.pets.list({ limit: 1000, after: seen.at(-1) })).pets.map(({ id }) => id));
      const expected = Array.from({ length: 300 }, (_, index) => index + 1);
      expect(ids.flat().sort((a, b) => a - b)).toStrictEqual(expected);
      expect(seen).toStrictEqual(expected);
    });

    test("with keys share a transaction with the others of their turn", async () => {
      const store = await open();
      await Promise.all(
        Array.from({ length: 50 }, (_, i) => [
          store.pets.create(pet),
          store.pets.createOnce(pet, { caller: "k_1", key: `${i}` }),
          store.pets.createOnce(pet, { caller: "k_1", key: `${i}` }),
        ]).flat(),
      );
      expect(await query(url, transactions)).toEqual([{ count: 1 }]);
      expect(await query(url, "select count(*)::integer as count from pets")).toEqual([{ count: 100 }]);
    });

    test.each(["read committed", "serializable"])(
      "with one key in two processes that both have not found it are one, at the level %s",
      async (level) => {
        const name = new URL(url).pathname.slice(1);
        await query(url, `alter database ${name} set default_transaction_isolation = '${level}'`);
        const writers = [await open({ limits: PATIENT }), await open({ limits: PATIENT })];
        const other = await begin("select last from pet_ids for update");
        const creations = writers.map((store) => store.pets.createOnce(pet, { caller: "k_1", key: "a" }));
        await waitingForLock(2);
        await other.query("rollback");
        const created = (await Promise.all(creations)).sort(
          (a, b) => Number(a?.isReplay) - Number(b?.isReplay),
        );
        expect(created).toStrictEqual([
          { pet: { id: 1, ...pet }, isReplay: false },
          { pet: { id: 1, ...pet }, isReplay: true },
        ]);
        expect((await writers[0]?.pets.create(pet))?.id).toBe(2);
      },
    );

    test("with a key, whose commit nobody heard of, are found by the next call", async () => {
      const wire = await Wire.to(url);
      ended.push(() => wire.close());
      const store = await open({ limits: PATIENT }, wire.url);
      await query(
        url,
        `create function wait() returns trigger language plpgsql as $$ begin perform pg_sleep(0.4); return null; end $$;
         create constraint trigger wait after insert on pets deferrable initially deferred
           for each row execute function wait()`,
      );
      const creation = store.pets.createOnce(pet, { caller: "k_1", key: "a" });
      const outcome = expect(creation).rejects.toThrow(StoreUnavailableError);
      await backends(1, "wait_event = 'PgSleep'");
      wire.cut();
      await outcome;
      expect(await store.pets.createOnce(pet, { caller: "k_1", key: "a" })).toStrictEqual({
        pet: { id: 1, ...pet },
        isReplay: true,
      });
    });

    test("in conflict with others are repeated", async () => {
      // At this level the second to update a row is told 40001 in place of waiting.
      await query(
        url,
        `alter database ${new URL(url).pathname.slice(1)} set default_transaction_isolation = 'serializable'`,
      );
      const [one, other] = [await open(), await open()];
      const write = async (store: Store): Promise<void> => {
        for (let i = 0; i < 30; i++) await store.pets.create(pet);
      };
      await Promise.all([write(one), write(other)]);
      expect((await one.pets.list({ limit: 100 })).pets).toHaveLength(60);
    });
  });

  test("an integer that JSON cannot carry exactly is an error, never rounded", async () => {
    const store = await open();
    await query(url, "alter table pets drop constraint pets_category_id_check");
    await query(url, "insert into pets (id, name, category_id) values (7, 'Rex', 9007199254740993)");
    await expect(store.pets.get(7)).rejects.toThrow("too large");
    await expect(store.ping()).resolves.toBeUndefined();
  });

  describe("a key", () => {
    const key = { id: "k_1", name: "shop", createdAt: new Date(), hash: Buffer.alloc(32, 1) };

    test("that was found is found again without asking; unknown ones are asked for", async () => {
      const store = await open();
      expect(await store.keys.findByHash(key.hash)).toBeUndefined();
      await query(
        url,
        `insert into api_keys values ('k_1', 'shop', '\\x${"01".repeat(32)}', '${key.createdAt.toISOString()}')`,
      );
      expect(await store.keys.findByHash(key.hash)).toMatchObject({ id: "k_1" });
      await query(url, "delete from api_keys");
      expect(await store.keys.findByHash(key.hash)).toMatchObject({ id: "k_1" });
    });

    test("that is revoked or replaced here is so at once", async () => {
      const store = await open();
      await store.keys.insert(key, "ann@host");
      await store.keys.findByHash(key.hash);
      const successor = { ...key, id: "k_2", hash: Buffer.alloc(32, 2) };
      await store.keys.replace("k_1", { successor, expiresAt: new Date(1), actor: "ann@host" });
      expect(await store.keys.findByHash(key.hash)).toMatchObject({ expiresAt: new Date(1) });
      await store.keys.revoke("k_1", { at: new Date(2), actor: "ann@host" });
      expect(await store.keys.findByHash(key.hash)).toMatchObject({ revokedAt: new Date(2) });
    });
  });

  describe("what fails is unavailable, is not kept, and heals by itself:", () => {
    const limits = { ...PATIENT, lockMs: 100 };

    async function expectUnavailable(store: Store, code?: string): Promise<void> {
      const results = await Promise.allSettled([store.pets.create(pet), store.pets.create(pet)]);
      for (const result of results) {
        const reason: unknown = result.status === "rejected" ? result.reason : undefined;
        expect(reason).toBeInstanceOf(StoreUnavailableError);
        expect(reason).toMatchObject(code === undefined ? {} : { cause: { code } });
      }
      await expect(store.ping()).rejects.toThrow(StoreUnavailableError);
    }

    async function expectHealed(store: Store): Promise<void> {
      const { id } = await store.pets.create(pet);
      expect((await store.pets.list({ limit: 10 })).pets.map((found) => found.id)).toStrictEqual([id]);
      await expect(store.ping()).resolves.toBeUndefined();
    }

    test("a row that another transaction has locked (55P03); reading goes on", async () => {
      const store = await open({ limits });
      const other = await begin("select last from pet_ids for update");
      await expectUnavailable(store, "55P03");
      expect(await store.pets.list({ limit: 1 })).toStrictEqual({ pets: [] });
      await other.query("rollback");
      await expectHealed(store);
    });

    test("a statement that takes too long (57014)", async () => {
      const store = await open({ limits: { ...PATIENT, statementMs: 2_000 } });
      const other = await begin("lock table pets, schema_migrations");
      await expectUnavailable(store, "57014");
      await expect(store.pets.get(1)).rejects.toThrow(StoreUnavailableError);
      await expect(store.ping()).rejects.toThrow(StoreUnavailableError);
      await other.query("rollback");
      await expectHealed(store);
    });

    test("a database that has become read-only (25006)", async () => {
      const store = await open({ limits });
      const name = new URL(url).pathname.slice(1);
      await query(url, `alter database ${name} set default_transaction_read_only = on`);
      await query(
        url,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
      );
      await backends(0, "true");
      await expectUnavailable(store, "25006");
      await query(url, `begin read write; alter database ${name} reset all; commit`);
      await expectHealed(store);
    });

    test.each(["api_keys", "pets"])("the table %s was dropped (42P01)", async (table) => {
      const store = await open({ limits });
      await query(url, `alter table ${table} rename to dropped`);
      const use = () => (table === "pets" ? store.pets.get(1) : store.keys.findByHash(Buffer.alloc(32)));
      for (const failing of [use, () => store.ping()]) {
        await expect(failing()).rejects.toMatchObject({
          name: "StoreUnavailableError",
          cause: { code: "42P01" },
        });
      }
      await query(url, `alter table dropped rename to ${table}`);
      expect(await use()).toBeUndefined();
      await expectHealed(store);
    });

    test("no connection left (53300)", async () => {
      const role = `r_${randomUUID().replaceAll("-", "")}`;
      await (await openPostgresStore(url)).close();
      await query(url, `create role ${role} login password 'x' connection limit 1`);
      ended.push(() => query(url, `drop owned by ${role}; drop role ${role}`));
      await query(url, `grant all on all tables in schema public to ${role}`);
      const address = new URL(url);
      [address.username, address.password] = [role, "x"];
      const occupy = async (): Promise<Client> => {
        const client = new Client({ connectionString: address.href });
        await client.connect();
        return client;
      };
      const first = await occupy();
      await expect(open({ limits }, address.href)).rejects.toThrow(/no connection left; lower DATABASE_POOL/);
      await first.end();
      // The server lets go of a connection a moment after the client.
      const store = await eventually(() => open({ limits }, address.href));
      const second = await eventually(occupy);
      await expectUnavailable(store, "53300");
      await second.end();
      await eventually(() => store.ping());
      await expectHealed(store);
      await store.close();
    });

    const failInserts = (code: string, message: string): Promise<unknown> =>
      query(
        url,
        `create function fail() returns trigger language plpgsql as
           $$ begin raise exception '${message}' using errcode = '${code}'; end $$;
         create trigger fail before insert on pets execute function fail()`,
      );

    test.each([
      ...["08000", "08003", "08006", "08P01", "25006", "40001", "40003", "40P01", "53100", "53200", "53300"],
      ...["57P01", "57P02", "57P03", "57P05", "58030"],
    ])("what the server reports as %s", async (code) => {
      const store = await open({ limits });
      await failInserts(code, "no");
      await expectUnavailable(store, code);
      await query(url, "drop trigger fail on pets");
      await expectHealed(store);
    });

    test("a lost worker, which Citus reports as an internal error; other internal errors are errors", async () => {
      const store = await open({ limits });
      await failInserts("XX000", "failure on connection marked as essential: db2:5432");
      await expectUnavailable(store, "XX000");
      await query(url, "drop trigger fail on pets; drop function fail");
      await failInserts("XX000", "cache lookup failed");
      await expect(store.pets.create(pet)).rejects.not.toThrow(StoreUnavailableError);
    });

    test("the server's side of every connection ends", async () => {
      const store = await open({ limits });
      await Promise.all([1, 2, 3].map((id) => store.pets.get(id)));
      await query(
        url,
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
      await backends(0, "true");
      await expectHealed(store);
    });

    test("the network cuts connections in use", async () => {
      const wire = await Wire.to(url);
      const store = await open({ limits: PATIENT }, wire.url);
      const other = await begin("select last from pet_ids for update");
      const creation = store.pets.create(pet);
      await waitingForLock(1);
      wire.cut();
      await expect(creation).rejects.toThrow(StoreUnavailableError);
      await other.query("rollback");
      await expectHealed(store);
      await wire.close();
    });

    test("creations behind one that fails fail with it, and do not wait as long again", async () => {
      const store = await open({ limits: PATIENT });
      const other = await begin("select last from pet_ids for update");
      const first = store.pets.create(pet);
      await waitingForLock(1);
      const second = store.pets.create(pet);
      await query(
        url,
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      const reason = await first.catch((error: unknown) => error);
      await other.query("rollback");
      expect(reason).toBeInstanceOf(StoreUnavailableError);
      expect(await second.catch((error: unknown) => error)).toBe(reason);
      await expectHealed(store);
    });

    test("the network lets nothing through any more; closing does not wait for it either", async () => {
      const wire = await Wire.to(url);
      const short = { connectMs: 1_500, statementMs: 1_500, lockMs: 100 };
      const store = await open({ limits: short, poolSize: 1 }, wire.url);
      await store.ping();
      wire.block();
      await expectUnavailable(store);
      // A creation that waits for others does not wait for its own turn as well.
      const first = store.pets.create(pet);
      await new Promise(setImmediate);
      const [one, other] = await Promise.allSettled([first, store.pets.create(pet)]);
      expect(one.status).toBe("rejected");
      expect(other.status === "rejected" && other.reason).toBe(one.status === "rejected" && one.reason);
      await expect(store.ping()).rejects.toThrow(StoreUnavailableError);
      wire.mend();
      await expectHealed(store);
      wire.block();
      await store.close();
      await wire.close();
    });
  });

  describe("opening", () => {
    function replaced(change: (address: URL) => void): string {
      const address = new URL(url);
      change(address);
      return address.href;
    }

    test.each<[string, (address: URL) => void, RegExp]>([
      [
        "a wrong password",
        (address) => (address.password = "hunter2"),
        /does not accept this user and password/,
      ],
      ["no password", (address) => (address.password = ""), /the server requires a password/],
      [
        "an unknown user",
        (address) => (address.username = "nobody"),
        /does not accept this user and password/,
      ],
      [
        "an unknown database",
        (address) => (address.pathname = "/nowhere"),
        /has no such database; create it/,
      ],
      ["a closed port", (address) => (address.port = "1"), /nothing listens there/],
    ])("%s is told in one line without a password", async (_, change, line) => {
      const address = replaced(change);
      const error = await openPostgresStore(address).catch((reason: unknown) => reason as Error);
      if (!(error instanceof Error)) throw new Error("It opened");
      expect(error.message).toMatch(/^Cannot open postgres:\/\/[^@\s]+\/\w+: [^\n]+\.$/);
      expect(error.message).toMatch(line);
      const { password } = new URL(address);
      expect(password !== "" && error.message.includes(decodeURIComponent(password))).toBe(false);
    });

    test("a server that does not answer is told in time", async () => {
      const wire = await Wire.to(url);
      wire.block();
      await expect(open({ limits: { connectMs: 300 } }, wire.url)).rejects.toThrow(StoreUnavailableError);
      await wire.close();
    });

    test("a connection that is refused is let go of", async () => {
      const wire = await Wire.to(url);
      const address = new URL(wire.url);
      address.password = "";
      await expect(openPostgresStore(address.href)).rejects.toThrow("requires a password");
      while (wire.connections > 0) await new Promise(setImmediate);
      await wire.close();
    });

    test("another program's tables are refused and left alone", async () => {
      await query(url, "create table pets (id integer)");
      await expect(openPostgresStore(url)).rejects.toThrow(StoreOpenError);
      await expect(openPostgresStore(url)).rejects.toThrow(/it has tables of another program, pets\.$/);
      const tables = await query(url, "select tablename from pg_tables where schemaname = 'public'");
      expect(tables).toEqual([{ tablename: "pets" }]);
    });

    test("an up-to-date database needs no right to define anything", async () => {
      await (await openPostgresStore(url)).close();
      const name = new URL(url).pathname.slice(1);
      await query(url, `alter database ${name} set default_transaction_read_only = on`);
      const store = await open();
      await expect(store.pets.list({ limit: 1 })).resolves.toStrictEqual({ pets: [] });
      await expect(store.ping()).rejects.toThrow(StoreUnavailableError);
    });
  });
});
