// @thorough: migrates stores of every version.
import { describe, expect, test } from "@jest/globals";
import { once } from "node:events";
import {
  findSchemaProblem,
  type Migration,
  MIGRATIONS,
  toChecksum,
} from "../../../src/petstore/store/migrations.js";
import { StoreOpenError } from "../../../src/petstore/store/store.js";
import { describeEngines } from "./engines.js";
import { forkScript } from "./fork-script.js";

const next: Migration = {
  version: MIGRATIONS.length + 1,
  name: "toys",
  sqlite: ["create table toys (id integer primary key) strict", "insert into toys (id) values (1)"],
  postgres: [
    "create table if not exists toys (id integer primary key)",
    "insert into toys (id) values (1) on conflict (id) do nothing",
  ],
};

const ENGINES = ["sqlite", "postgres"] as const;

test("migrations are numbered 1, 2, 3, …", () => {
  expect(MIGRATIONS.map(({ version }) => version)).toStrictEqual(MIGRATIONS.map((_, i) => i + 1));
});

test("released migrations are never edited", () => {
  const checksums = MIGRATIONS.map((migration) =>
    ENGINES.map((engine) => toChecksum(migration[engine]).slice(0, 16)).join(" "),
  );
  expect(checksums).toMatchInlineSnapshot(`
   [
     "8a237f80962bcef6 7e80b2d839b5b032",
     "e6348174d322f7d1 03dc2ae427a9f1a5",
     "aeb75da1ad66feab 47c4862f3b329ea7",
     "b8db7b7a8f6bee02 9f0fc4485cc9b88a",
     "b860b4039dd45ba7 18eb21ae38284d5a",
   ]
  `);
});

test("on PostgreSQL each statement may be executed twice, and defines one thing", () => {
  const statements = [...MIGRATIONS, next].flatMap(({ postgres }) => postgres);
  const repeatable =
    /^(create (table|index) if not exists|insert into [^;]* on conflict .*do nothing$)[^;]*$/;
  expect(statements.filter((statement) => !repeatable.test(statement))).toStrictEqual([]);
});

describe.each(ENGINES)("findSchemaProblem on %s", (engine) => {
  const applied = MIGRATIONS.map((migration) => ({
    version: migration.version,
    name: migration.name,
    checksum: toChecksum(migration[engine]),
  }));

  test.each([
    ["a new database", []],
    ["an older database", applied.slice(0, 1)],
    ["a database that is up to date", applied],
  ])("%s has none", (_, past) => {
    expect(findSchemaProblem(past, MIGRATIONS, engine)).toBeUndefined();
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
    expect(findSchemaProblem(past, MIGRATIONS, engine)).toMatch(problem);
  });
});

describeEngines((engine) => {
  const select = "select version, name from schema_migrations order by version";

  test("what is new is applied, once, and what is there is kept", async () => {
    const url = await engine.create();
    const old = await engine.open(url);
    const pet = await old.pets.create({ name: "Rex", categoryId: 1 });
    await old.close();
    for (let i = 0; i < 2; i++) {
      const store = await engine.open(url, { migrations: [...MIGRATIONS, next] });
      expect(await store.pets.get(pet.id)).toStrictEqual(pet);
      await store.close();
    }
    expect(await engine.query(url, select)).toEqual(
      [...MIGRATIONS, next].map(({ version, name }) => ({ version, name })),
    );
    expect(await engine.query(url, "select id from toys")).toEqual([{ id: 1 }]);
  });

  test("a newer database is refused", async () => {
    const url = await engine.create();
    await (await engine.open(url, { migrations: [...MIGRATIONS, next] })).close();
    await expect(engine.open(url)).rejects.toThrow(StoreOpenError);
    await expect(engine.open(url)).rejects.toThrow(
      new RegExp(
        `^Cannot open \\S+: it is newer than this program, which knows no migration ${next.version} "toys"\\. Run the newer`,
      ),
    );
  });

  test("an edited migration is refused, and nothing is applied", async () => {
    const url = await engine.create();
    await (await engine.open(url)).close();
    const [first, ...rest] = MIGRATIONS;
    if (first === undefined) throw new Error("There is no migration");
    const edited = { ...first, [engine.name]: [...first[engine.name], "select 1"] };
    await expect(engine.open(url, { migrations: [edited, ...rest, next] })).rejects.toThrow(
      /migration 1 "pets" is not the one/,
    );
    await expect(engine.query(url, "select id from toys")).rejects.toThrow(/toys/);
  });

  test("a migration that fails is not remembered, and can be repeated", async () => {
    const url = await engine.create();
    const wrong = "insert into nowhere values (1)";
    const broken = { ...next, sqlite: [...next.sqlite, wrong], postgres: [...next.postgres, wrong] };
    await expect(engine.open(url, { migrations: [...MIGRATIONS, broken] })).rejects.toThrow(
      /^Cannot open \S+: .*nowhere.*\.$/,
    );
    await (await engine.open(url, { migrations: [...MIGRATIONS, next] })).close();
    expect(await engine.query(url, select)).toHaveLength(MIGRATIONS.length + 1);
  });

  test("processes that start at once all open the same new database", async () => {
    const processes = Array.from({ length: 3 }, () => forkScript("opener.ts"));
    await Promise.all(processes.map((child) => once(child, "message")));
    for (let round = 0; round < 20; round++) {
      const url = await engine.create();
      const answers = processes.map((child) => once(child, "message"));
      for (const child of processes) child.send(url);
      expect(
        (await Promise.all(answers)).flat().filter((answer) => typeof answer === "string"),
      ).toStrictEqual(processes.map(() => "opened"));
      expect(await engine.query(url, select)).toHaveLength(MIGRATIONS.length);
    }
    for (const child of processes) child.disconnect();
    await Promise.all(processes.map((child) => once(child, "exit")));
  });
});
