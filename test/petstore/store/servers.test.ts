// @thorough: starts a primary with a standby.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { openPostgresStore } from "../../../src/petstore/store/postgres/index.js";
import { Servers } from "../../../src/petstore/store/postgres/servers.js";
import { type Store, StoreOpenError, StoreUnavailableError } from "../../../src/petstore/store/store.js";
import { POSTGRES_URL } from "../../support/postgres/database.js";
import { PostgresServer } from "../../support/postgres/server.js";
import { Wire } from "../../support/postgres/wire.js";
import { GIVE_UP_MS, until } from "../../support/until.js";

const pet = { name: "Rex", categoryId: 1 };

describe("the hosts of a URL", () => {
  test.each([
    ["postgres://u:p%40w@one/pets", "postgres://one:5432/pets"],
    ["postgresql://u:p@one:1,two:2/pets", "postgres://one:1,two:2/pets"],
    ["postgresql://u:p@one,two/pets?target_session_attrs=read-write", "postgres://one:5432,two:5432/pets"],
    ["postgres://u@one,two:2/pets", "postgres://one:5432,two:2/pets"],
    ["postgres://u@[::1]:1,[2001:db8::2]/pets", "postgres://[::1]:1,[2001:db8::2]:5432/pets"],
    ["postgres://u@%6fne,two/pets", "postgres://one:5432,two:5432/pets"],
    ["postgres://u@%2Fvar%2Frun,two/pets", "postgres:///var/run,two:5432/pets"],
    ["postgres://u@/pets?host=one,two&port=7", "postgres://one:7,two:7/pets"],
    ["postgres:///pets?host=one,two&port=7,8", "postgres://one:7,two:8/pets"],
    ["postgres://u@one,two/pets?port=7,8", "postgres://one:7,two:8/pets"],
    ["postgres://u@one/pets?target_session_attrs=any", "postgres://one:5432/pets"],
  ])("%s", (url, place) => {
    expect(new Servers(url).place).toBe(place);
  });

  test("other parameters and the password stay as they are", () => {
    const url = "postgres://u:p%40w@one,two/pets?options=-c%20search_path%3Da&target_session_attrs=primary";
    expect(new Servers(url).current.url).toBe("postgres://u:p%40w@/pets?options=-c+search_path%3Da&host=one");
  });

  test.each([
    [
      "postgres://u:secret@one,two/pets?target_session_attrs=writable",
      "target_session_attrs must be one of any, read-write, read-only, primary, standby, prefer-standby.",
    ],
    ["postgres://u:secret@one,two,three/pets?port=1,2", "it has 3 hosts and 2 ports"],
    ["postgres://u:secret@one:x,two/pets", "percent-encoded"],
    ["postgres://u:sec/ret@one,two/pets", "percent-encoded"],
    ["postgres://u:secret@::1,two/pets", "percent-encoded"],
    ["postgres://u:secret@%ff,two/pets", "percent-encoded"],
  ])("%s is refused", (url, message) => {
    const open = (): unknown => new Servers(url);
    expect(open).toThrow(StoreOpenError);
    expect(open).toThrow(message);
    expect(open).not.toThrow(/secret|ret@/);
  });
});

(POSTGRES_URL === undefined ? describe.skip : describe)("a primary and a standby", () => {
  let one: PostgresServer;
  let other: PostgresServer;
  let stores: Store[];
  beforeAll(async () => {
    one = await PostgresServer.create();
    other = await one.createStandby();
  });
  afterAll(async () => {
    await one.destroy();
    await other.destroy();
  });
  beforeEach(() => {
    stores = [];
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
  });

  const toList = (attributes: string, ...servers: readonly Pick<PostgresServer, "url">[]): string => {
    const [first = ""] = servers.map(({ url }) => url);
    const hosts = servers.map(({ url }) => new URL(url).host).join(",");
    return `${first.replace(new URL(first).host, hosts)}?target_session_attrs=${attributes}`;
  };
  async function open(url: string): Promise<Store> {
    const limits = { connectMs: GIVE_UP_MS, statementMs: GIVE_UP_MS, lockMs: GIVE_UP_MS };
    const store = await openPostgresStore(url, { limits });
    stores.push(store);
    return store;
  }
  const sessions = async (server: PostgresServer): Promise<number> => {
    const sql = "select from pg_stat_activity where application_name = 'petstore'";
    return (await server.execute(sql)).length;
  };

  test.each(["read-write", "primary"])("the service writes to the primary with %s", async (attributes) => {
    const closed = { url: "postgres://127.0.0.1:1/" };
    const store = await open(toList(attributes, other, closed, one));
    expect(await store.pets.create(pet)).toMatchObject(pet);
    expect(await sessions(other)).toBe(0);
  });

  test.each(["standby", "read-only", "prefer-standby"])("%s selects the standby", async (attributes) => {
    await open(toList("primary", one));
    const [{ lsn }] = (await one.execute("select pg_current_wal_lsn() as lsn")) as [{ lsn: string }];
    await until(async () => {
      const [row] = await other.execute(`select pg_last_wal_replay_lsn() >= '${lsn}' as "isDone"`);
      return (row as { isDone: boolean }).isDone;
    });
    const store = await open(toList(attributes, one, other));
    await store.pets.list({ limit: 1 });
    expect(await sessions(other)).toBe(1);
    await expect(store.pets.create(pet)).rejects.toThrow("read-only");
  });

  test("prefer-standby takes the primary when there is no standby", async () => {
    const store = await open(toList("prefer-standby", one));
    expect(await store.pets.create(pet)).toMatchObject(pet);
  });

  test("a server that does not respond leaves time for the next one", async () => {
    const wire = await Wire.to(one.url);
    wire.block();
    const store = await openPostgresStore(toList("read-write", wire, one), { limits: { connectMs: 4000 } });
    stores.push(store);
    expect(await store.pets.create(pet)).toMatchObject(pet);
    await wire.close();
  });

  test("requests fail in time when no server responds, and the next ones find one that does", async () => {
    const wires = [await Wire.to(one.url), await Wire.to(other.url)] as const;
    const store = await openPostgresStore(toList("read-write", ...wires), {
      limits: { connectMs: 1500, statementMs: 1500 },
    });
    stores.push(store);
    await store.pets.create(pet);
    for (const wire of wires) wire.block();
    await expect(store.pets.create(pet)).rejects.toThrow(StoreUnavailableError);
    await expect(store.pets.create(pet)).rejects.toThrow(StoreUnavailableError);
    for (const wire of wires) wire.mend();
    await until(() =>
      store.pets.create(pet).then(
        () => true,
        () => false,
      ),
    );
    await store.close();
    for (const wire of wires) await wire.close();
  });

  test("a standby alone is refused with the reason for each server", async () => {
    const opening = openPostgresStore(toList("read-write", other, { url: "postgres://127.0.0.1:1/" }));
    await expect(opening).rejects.toThrow(StoreUnavailableError);
    await expect(opening).rejects.toThrow(
      /^Cannot open postgres:\/\/[\d.:,]+\/postgres: no server is suitable for target_session_attrs=read-write \([\d.:]+: it is a standby; 127.0.0.1:1: nothing listens there\)\.$/,
    );
  });

  test("a standby without the tables is refused, also when nothing is required of it", async () => {
    await one.execute("create database fresh");
    const url = new URL(other.url);
    url.pathname = "/fresh";
    await until(
      async () => (await other.execute("select from pg_database where datname = 'fresh'")).length > 0,
    );
    await expect(openPostgresStore(url.href)).rejects.toThrow(
      /: the server is read-only; it may be a standby\.$/,
    );
  });

  test("connections to a primary that becomes read-only are closed, and the next go to the new one", async () => {
    const store = await open(toList("read-write", one, other));
    await Promise.all([store.pets.create(pet), store.pets.list({ limit: 1 }), store.pets.get(1)]);
    // The old primary goes on and keeps its connections: the worst case.
    await one.execute("alter system reset synchronous_standby_names");
    await one.execute("alter system set default_transaction_read_only = on");
    await one.execute("select pg_reload_conf()");
    await other.promote();
    await until(() =>
      store.pets.create({ ...pet, name: "new" }).then(
        () => true,
        (error: unknown) => {
          expect(error).toBeInstanceOf(StoreUnavailableError);
          return false;
        },
      ),
    );
    expect(await other.execute("select name from pets where name = 'new'")).toEqual([{ name: "new" }]);
    await until(async () => (await sessions(one)) === 0);
  });
});
