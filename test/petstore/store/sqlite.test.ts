import { execFileSync } from "node:child_process";
import { describe, expect, test } from "@jest/globals";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { MIGRATIONS } from "../../../src/petstore/store/migrations.js";
import { loadSqliteDriver, type SqliteDatabase } from "../../../src/petstore/store/sqlite/driver.js";
import { createKeyStore } from "../../../src/petstore/store/sql/keys.js";
import { SqlPetStore } from "../../../src/petstore/store/sql/pets.js";
import { createSqliteProbe, openSqliteStore } from "../../../src/petstore/store/sqlite/index.js";
import { SQLITE_CREATIONS } from "../../../src/petstore/store/sqlite/creations.js";
import { assertDurable, openConnection } from "../../../src/petstore/store/sqlite/open.js";
import { StoreOpenError, StoreUnavailableError } from "../../../src/petstore/store/store.js";
import { createDirectory } from "../../support/directory.js";
import { GIVE_UP_MS } from "../../support/until.js";

const { DatabaseSync } = loadSqliteDriver();
const pet = { name: "Rex", categoryId: 1 };

describe("durability", () => {
  test("the commits of a connection reach the disk before they are answered", async () => {
    const file = newFile();
    const connection = await openConnection(file, { busyTimeoutMs: 0, migrations: MIGRATIONS });
    expect(connection.prepare("pragma journal_mode").get()).toMatchObject({ journal_mode: "wal" });
    expect(connection.prepare("pragma synchronous").get()).toMatchObject({ synchronous: 2 });
    expect(connection.prepare("pragma foreign_keys").get()).toMatchObject({ foreign_keys: 1 });
    await connection.close();
  });

  test.each(["synchronous = normal", "synchronous = off", "journal_mode = delete"])(
    "a connection with %s is refused",
    async (pragma) => {
      const connection = await openConnection(newFile(), { busyTimeoutMs: 0, migrations: MIGRATIONS });
      connection.exec(`pragma ${pragma}`);
      expect(() => {
        assertDurable(connection, "pets.db");
      }).toThrow(StoreOpenError);
      await connection.close();
    },
  );

  test("after closing, the file alone holds everything", async () => {
    const file = newFile();
    const first = await openSqliteStore(file);
    const created = await first.pets.create(pet);
    await first.close();
    copyFileSync(file, `${file}.copy`);
    const second = await openSqliteStore(`${file}.copy`);
    expect(await second.pets.get(created.id)).toStrictEqual(created);
    await second.close();
  });
});

describe("creations", () => {
  test("those of one turn share one commit", async () => {
    const file = newFile();
    const store = await openSqliteStore(file);
    const before = countCommits(file);
    await Promise.all(Array.from({ length: 100 }, () => store.pets.create(pet)));
    expect(countCommits(file) - before).toBe(1);
    await store.pets.create(pet);
    await store.pets.create(pet);
    expect(countCommits(file) - before).toBe(3);
    await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        i % 2 === 0
          ? store.pets.create(pet)
          : store.pets.createOnce(pet, { caller: "k_1", key: `${i % 10}` }),
      ),
    );
    expect(countCommits(file) - before).toBe(4);
    await store.close();
  });

  test("when the commit fails, all of the turn reject and none is kept", async () => {
    const file = newFile();
    const store = await openSqliteStore(file, { busyTimeoutMs: 20 });
    await store.pets.create(pet);
    const release = lock(file);
    const results = await Promise.allSettled([store.pets.create(pet), store.pets.create(pet)]);
    release();
    for (const result of results) {
      expect(result).toMatchObject({ status: "rejected", reason: { cause: { errcode: 5 } } });
      expect(result.status === "rejected" && result.reason).toBeInstanceOf(StoreUnavailableError);
    }
    await expect(store.pets.create(pet)).resolves.toBeDefined();
    expect((await store.pets.list({ limit: 10 })).pets).toHaveLength(2);
    await store.close();
  });

  test("when the disk is full, all of the turn reject, none is kept, and the store goes on", async () => {
    const connection = await openConnection(newFile(), { busyTimeoutMs: 0, migrations: MIGRATIONS });
    const pets = new SqlPetStore(connection, SQLITE_CREATIONS, {});
    const { id } = await pets.create(pet);
    const { page_count: pages } = connection.prepare("pragma page_count").get() as { page_count: number };
    connection.exec(`pragma max_page_count = ${pages}`);
    const names = ["a", "x".repeat(100_000), "b"];
    const results = await Promise.allSettled(names.map((name) => pets.create({ ...pet, name })));
    for (const result of results) {
      expect(result).toMatchObject({ status: "rejected", reason: { cause: { errcode: 13 } } });
    }
    expect((await pets.list({ limit: 10 })).pets.map((kept) => kept.id)).toStrictEqual([id]);
    await expect(pets.create(pet)).resolves.toMatchObject({ id: id + 1 });
    await connection.close();
  });

  test("when the disk is full, a change of the keys is refused as unavailable, too", async () => {
    const connection = await openConnection(newFile(), { busyTimeoutMs: 0, migrations: MIGRATIONS });
    const { page_count: pages } = connection.prepare("pragma page_count").get() as { page_count: number };
    connection.exec(`pragma max_page_count = ${pages}`);
    const key = { id: "k_1", name: "x".repeat(100_000), createdAt: new Date(), hash: Buffer.alloc(32) };
    const keys = createKeyStore(connection);
    await expect(keys.insert(key, "ann@host")).rejects.toThrow(StoreUnavailableError);
    expect(await keys.list()).toStrictEqual([]);
    await connection.close();
  });
});

describe("closing", () => {
  test("when the disk is full, leaves the log, and the next start reads it", async () => {
    const file = newFile();
    const store = await openSqliteStore(file);
    await store.pets.create({ ...pet, name: "x".repeat(100_000) });
    const limit = (bytes: number | "unlimited") =>
      execFileSync("prlimit", ["--pid", String(process.pid), `--fsize=${bytes}:unlimited`]);
    limit(statSync(file).size);
    await store.close().finally(() => limit("unlimited"));
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(100_000);
    const next = await openSqliteStore(file);
    expect((await next.pets.list({ limit: 10 })).pets).toHaveLength(1);
    await next.close();
  });
});

describe("ping", () => {
  test("writes to the disk what a creation writes, and commits it", async () => {
    const file = newFile();
    const store = await openSqliteStore(file);
    for (let i = 0; i < 200; i++) await store.pets.create(pet);
    const bytes = (): number => statSync(`${file}-wal`).size;
    const [before, commits] = [bytes(), countCommits(file)];
    await store.pets.create(pet);
    const creation = bytes() - before;
    await store.ping();
    expect(bytes() - before).toBe(2 * creation);
    expect(countCommits(file) - commits).toBe(2);
    await store.close();
  });

  test("rejects as long as another process holds the write lock, and does not stop the event loop", async () => {
    const file = newFile();
    const store = await openSqliteStore(file, { busyTimeoutMs: 1_000 });
    const release = lock(file);
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 1);
    await expect(store.ping()).rejects.toThrow(StoreUnavailableError);
    clearInterval(counting);
    // Were the driver waiting, none of these turns would have come.
    expect(turns).toBeGreaterThan(0);
    release();
    await expect(store.ping()).resolves.toBeUndefined();
    await store.close();
  });

  test("rejects as long as the connection may only read", async () => {
    const file = newFile();
    const connection = await openConnection(file, { busyTimeoutMs: 0, migrations: MIGRATIONS });
    const ping = createSqliteProbe(connection);
    connection.exec("pragma query_only = on");
    await expect(ping()).rejects.toThrow(StoreUnavailableError);
    connection.exec("pragma query_only = off");
    await expect(ping()).resolves.toBeUndefined();
    await connection.close();
  });

  test("rejects as long as the file is not where it was opened, or is another one", async () => {
    const file = newFile();
    const store = await openSqliteStore(file);
    renameSync(file, `${file}.moved`);
    await expect(store.ping()).rejects.toThrow(/is not at .* any more/);
    writeFileSync(file, "");
    await expect(store.ping()).rejects.toThrow(StoreUnavailableError);
    renameSync(`${file}.moved`, file);
    await expect(store.ping()).resolves.toBeUndefined();
    await store.close();
  });
});

describe("other processes", () => {
  test("reading goes on while another process writes", async () => {
    const file = newFile();
    const store = await openSqliteStore(file);
    const { id } = await store.pets.create(pet);
    const release = lock(file);
    expect(await store.pets.get(id)).toBeDefined();
    release();
    await store.close();
  });

  test("creations wait for another process's lock without stopping the event loop, and share a commit", async () => {
    const file = newFile();
    const store = await openSqliteStore(file, { busyTimeoutMs: GIVE_UP_MS });
    const release = lock(file);
    const first = store.pets.create(pet);
    // If the driver were waiting, none of these turns would come before its timeout, and the creation would have failed.
    for (let turn = 0; turn < 20; turn++) await setTimeout(1);
    const second = store.pets.create(pet);
    const before = countCommits(file);
    release();
    const [{ id }, next] = await Promise.all([first, second]);
    expect(next.id).toBe(id + 1);
    expect(countCommits(file) - before).toBe(1);
    await store.close();
  });

  test("an integer that JSON cannot carry exactly is an error, never rounded", async () => {
    const file = newFile();
    const store = await openSqliteStore(file);
    change(file, (database) => {
      database.exec("pragma ignore_check_constraints = on");
      database.exec("insert into pets (id, name, category_id) values (1, 'Rex', 9007199254740993)");
    });
    await expect(store.pets.get(1)).rejects.toThrow("too large");
    await store.close();
  });
});

describe("opening", () => {
  test("creates the directory of the file", async () => {
    const file = join(createDirectory(), "a", "b", "pets.db");
    await (await openSqliteStore(file)).close();
    expect(existsSync(file)).toBe(true);
  });

  test("takes a path that looks like a URI literally", async () => {
    const previous = process.cwd();
    const directory = createDirectory();
    process.chdir(directory);
    try {
      await (await openSqliteStore("file:pets.db?mode=memory")).close();
    } finally {
      process.chdir(previous);
    }
    expect(readdirSync(directory)).toContain("file:pets.db?mode=memory");
  });

  test("refuses a file that is not a database, and leaves it alone", async () => {
    const file = newFile();
    writeFileSync(file, "not a database\n".repeat(100));
    await expectRefusal(file, /is not a SQLite database/);
    expect(readFileSync(file, "utf8")).toBe("not a database\n".repeat(100));
  });

  test.each(["create table books (id integer)", "pragma application_id = 77"])(
    "refuses another program's database (%s), and leaves it alone",
    async (sql) => {
      const file = newFile();
      change(file, (database) => {
        database.exec(sql);
      });
      const before = readFileSync(file);
      await expectRefusal(file, /another program/);
      expect(readFileSync(file).equals(before)).toBe(true);
    },
  );

  test("refuses a corrupt database", async () => {
    const file = newFile();
    await (await openSqliteStore(file)).close();
    // The file's header is 100 bytes; the root of the schema follows.
    writeFileSync(file, readFileSync(file).fill(0xff, 100, 1100));
    await expectRefusal(file, /corrupt/);
  });

  test("refuses a directory in place of the file", async () => {
    const directory = createDirectory();
    await expectRefusal(directory, /is a directory/);
  });

  test("refuses a directory that cannot be created", async () => {
    const file = newFile();
    writeFileSync(file, "");
    await expectRefusal(join(file, "below", "pets.db"), /ENOTDIR|EEXIST/);
  });

  test("gives up on a locked database after the timeout", async () => {
    const file = newFile();
    await (await openSqliteStore(file)).close();
    const release = lock(file);
    await expect(openSqliteStore(file, { busyTimeoutMs: 20 })).rejects.toThrow(StoreUnavailableError);
    release();
  });
});

function newFile(): string {
  return join(createDirectory(), "pets.db");
}

async function expectRefusal(file: string, reason: RegExp): Promise<void> {
  const error: unknown = await openSqliteStore(file).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StoreOpenError);
  const { message } = error as StoreOpenError;
  expect(message).toMatch(reason);
  expect(message).toContain(file);
  expect(message).not.toContain("\n");
}

function change(file: string, work: (database: SqliteDatabase) => void): void {
  const database = new DatabaseSync(file);
  work(database);
  database.close();
}

/** Holds the write lock, as another process would, until the result is called. */
function lock(file: string): () => void {
  const database = new DatabaseSync(file);
  database.exec("begin immediate");
  return () => {
    database.close();
  };
}

/**
 * Commits in the write-ahead log: frames that carry the size of the database.
 * @see https://sqlite.org/fileformat2.html#the_write_ahead_log
 */
function countCommits(file: string): number {
  const log = readFileSync(`${file}-wal`);
  const frameSize = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let frame = 32; frame < log.length; frame += frameSize) {
    if (log.readUInt32BE(frame + 4) !== 0) commits++;
  }
  return commits;
}
