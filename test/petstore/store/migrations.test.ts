import { describe, expect, test } from "@jest/globals";
import { once } from "node:events";
import { join } from "node:path";
import {
  findSchemaProblem,
  type Migration,
  MIGRATIONS,
  toChecksum,
} from "../../../src/petstore/store/migrations.js";
import { loadSqliteDriver } from "../../../src/petstore/store/sqlite-driver.js";
import { openSqliteStore } from "../../../src/petstore/store/sqlite.js";
import { StoreOpenError } from "../../../src/petstore/store/store.js";
import { forkScript } from "./fork-script.js";
import { createDirectory } from "../../support/directory.js";

const next: Migration = {
  version: MIGRATIONS.length + 1,
  name: "toys",
  sqlite: ["create table toys (id integer primary key) strict", "insert into toys (id) values (1)"],
};

const applied = MIGRATIONS.map(({ version, name, sqlite }) => ({
  version,
  name,
  checksum: toChecksum(sqlite),
}));

test("migrations are numbered 1, 2, 3, …", () => {
  expect(MIGRATIONS.map(({ version }) => version)).toStrictEqual(MIGRATIONS.map((_, i) => i + 1));
});

test("released migrations are never edited", () => {
  expect(MIGRATIONS.map(({ sqlite }) => toChecksum(sqlite).slice(0, 16))).toMatchInlineSnapshot(`
   [
     "8a237f80962bcef6",
     "e6348174d322f7d1",
   ]
  `);
});

describe("findSchemaProblem", () => {
  test.each([
    ["a new database", []],
    ["an older database", applied.slice(0, 1)],
    ["a database that is up to date", applied],
  ])("%s has none", (_, past) => {
    expect(findSchemaProblem(past, MIGRATIONS)).toBeUndefined();
  });

  test.each([
    [
      "a newer database",
      [...applied, { version: 9, name: "later", checksum: "x" }],
      /newer than this program/,
    ],
    [
      "an edited migration",
      [{ version: 1, name: "pets", checksum: "x" }],
      /migration 1 "pets" is not the one/,
    ],
    ["a missing migration", applied.slice(1), /migration 2 "api keys" is not the one/],
  ])("%s is one", (_, past, problem) => {
    expect(findSchemaProblem(past, MIGRATIONS)).toMatch(problem);
  });
});

describe("openSqliteStore", () => {
  test("applies what is new, once, and keeps what is there", async () => {
    const file = newFile();
    const old = await openSqliteStore(file);
    const pet = await old.pets.create({ name: "Rex", categoryId: 1 });
    await old.close();
    for (let i = 0; i < 2; i++) {
      const store = await openSqliteStore(file, { migrations: [...MIGRATIONS, next] });
      expect(await store.pets.get(pet.id)).toStrictEqual(pet);
      await store.close();
    }
    expect(query(file, "select version, name from schema_migrations")).toEqual(
      [...MIGRATIONS, next].map(({ version, name }) => ({ version, name })),
    );
  });

  test("refuses a newer database", async () => {
    const file = newFile();
    await (await openSqliteStore(file, { migrations: [...MIGRATIONS, next] })).close();
    await expect(openSqliteStore(file)).rejects.toThrow(StoreOpenError);
    await expect(openSqliteStore(file)).rejects.toThrow(`Cannot open ${file}: it is newer than this program`);
  });

  test("refuses an edited migration, and applies nothing", async () => {
    const file = newFile();
    await (await openSqliteStore(file)).close();
    const [first, ...rest] = MIGRATIONS.map((migration) => ({
      ...migration,
      sqlite: [...migration.sqlite, "select 1"],
    }));
    const migrations = [...(first ? [first] : []), ...rest, next];
    await expect(openSqliteStore(file, { migrations })).rejects.toThrow(/migration 1 "pets" is not the one/);
    expect(query(file, "select name from sqlite_schema where name = 'toys'")).toEqual([]);
  });

  test("a migration that fails changes nothing", async () => {
    const file = newFile();
    const broken = { ...next, sqlite: [...next.sqlite, "insert into nowhere values (1)"] };
    await expect(openSqliteStore(file, { migrations: [...MIGRATIONS, broken] })).rejects.toThrow(
      `Cannot open ${file}: no such table: nowhere.`,
    );
    expect(query(file, "select name from sqlite_schema")).toEqual([]);
    await (await openSqliteStore(file)).close();
  });

  test("processes that start at once all open the same new database", async () => {
    const processes = Array.from({ length: 3 }, () => forkScript("opener.ts"));
    await Promise.all(processes.map((child) => once(child, "message")));
    for (let round = 0; round < 20; round++) {
      const file = newFile();
      const answers = processes.map((child) => once(child, "message"));
      for (const child of processes) child.send(file);
      expect(
        (await Promise.all(answers)).flat().filter((answer) => typeof answer === "string"),
      ).toStrictEqual(processes.map(() => "opened"));
      expect(query(file, "select version from schema_migrations")).toHaveLength(MIGRATIONS.length);
    }
    for (const child of processes) child.disconnect();
    await Promise.all(processes.map((child) => once(child, "exit")));
  }, 60_000);
});

function newFile(): string {
  return join(createDirectory(), "pets.db");
}

function query(file: string, sql: string): unknown[] {
  const { DatabaseSync } = loadSqliteDriver();
  const database = new DatabaseSync(file);
  const rows = database.prepare(sql).all();
  database.close();
  return rows.map((row) => ({ ...(row as object) }));
}
