// @thorough: starts services on damaged files.
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { afterEach, describe, expect, test } from "@jest/globals";
import { MIGRATIONS } from "../../src/petstore/store/migrations.js";
import { loadSqliteDriver } from "../../src/petstore/store/sqlite/driver.js";
import { openSqliteStore } from "../../src/petstore/store/sqlite/index.js";
import { createDirectory } from "../support/directory.js";
import { launch, toSource } from "../support/faults/service.js";
import { endProcesses } from "../support/process-group.js";

afterEach(endProcesses);

/** The user `nobody`; root may write whatever it likes. */
const ordinary = process.getuid?.() === 0 ? { uid: 65534 } : {};

/** A database with so many animals that damage in its middle is in their table. */
async function createStore(): Promise<string> {
  const directory = createDirectory();
  chmodSync(directory, 0o777);
  const file = join(directory, "pets.db");
  const store = await openSqliteStore(file);
  await Promise.all(
    Array.from({ length: 5000 }, (_, index) =>
      store.pets.create({ name: `Rex ${index}`, categoryId: index }),
    ),
  );
  await store.close();
  return file;
}

async function damaged(damage: (bytes: Buffer) => Buffer): Promise<string> {
  const file = await createStore();
  writeFileSync(file, damage(readFileSync(file)));
  return file;
}

function written(bytes: string): string {
  const file = join(createDirectory(), "notes.txt");
  writeFileSync(file, bytes);
  return file;
}

function changed(file: string, sql: string): string {
  const database = new (loadSqliteDriver().DatabaseSync)(file);
  database.exec(sql);
  database.close();
  return file;
}

async function newer(): Promise<string> {
  const file = await createStore();
  const next = { version: MIGRATIONS.length + 1, name: "toys", sqlite: [], postgres: [] };
  await (await openSqliteStore(file, { migrations: [...MIGRATIONS, next] })).close();
  return file;
}

async function readOnly(): Promise<string> {
  const file = await createStore();
  chmodSync(file, 0o444);
  return file;
}

async function inReadOnlyDirectory(): Promise<string> {
  const file = await createStore();
  chmodSync(file, 0o666);
  chmodSync(dirname(file), 0o555);
  return file;
}

const overwritten = (at: (size: number) => number) => () =>
  damaged((bytes) => {
    const start = Math.floor(at(bytes.length));
    return bytes.fill(0xa5, start, start + 64);
  });

describe("a database that cannot be used is told in one line at start, and not changed by a byte:", () => {
  const cases: readonly (readonly [string, () => string | Promise<string>, RegExp])[] = [
    ["text", () => written("Dear diary,\n".repeat(1000)), /it is not a SQLite database\.$/],
    [
      "another program's tables",
      () => changed(join(createDirectory(), "a.db"), "create table books (id integer)"),
      /another program\.$/,
    ],
    [
      "another program's application_id",
      () => changed(join(createDirectory(), "a.db"), "pragma application_id = 77"),
      /another program\.$/,
    ],
    ["a newer version", newer, /it is newer than this program/],
    ["bytes flipped in the header", overwritten(() => 0), /it is not a SQLite database\.$/],
    ["bytes flipped in the schema", overwritten(() => 100), /corrupt\. Restore a backup\.$/],
    [
      "bytes flipped in the head of a page in the middle",
      overwritten((size) => Math.floor(size / 8192) * 4096),
      /corrupt\. Restore a backup\.$/,
    ],
    [
      "a file cut in the middle",
      () => damaged((bytes) => bytes.subarray(0, Math.floor(bytes.length / 2))),
      /corrupt\. Restore a backup\.$/,
    ],
    [
      "a file cut within its header",
      () => damaged((bytes) => bytes.subarray(0, 50)),
      /(corrupt\. Restore a backup|not a SQLite database)\.$/,
    ],
    ["a file that may only be read", readOnly, /this user may not read and write it \(EACCES\)\.$/],
    [
      "a directory that may only be read",
      inReadOnlyDirectory,
      /this user may not read and write its directory \(EACCES\)\.$/,
    ],
  ];

  test.each(cases)("%s", async (_, create, line) => {
    const file = await create();
    const before = readFileSync(file);
    const { ended } = launch({
      argv: toSource(),
      databaseUrl: `sqlite:${file}`,
      ...(line.source.includes("EACCES") && ordinary),
    });
    const { code, err } = await ended;
    chmodSync(dirname(file), 0o777);
    expect(err).toMatch(/^Cannot open [^\n]*\n$/);
    expect(err.trimEnd()).toMatch(line);
    expect(err).toContain(file);
    expect(code).toBe(1);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("a directory", async () => {
    const directory = join(createDirectory(), "pets.db");
    mkdirSync(directory);
    const { ended } = launch({ argv: toSource(), databaseUrl: `sqlite:${directory}` });
    expect(await ended).toMatchObject({ code: 1, err: `Cannot open ${directory}: it is a directory.\n` });
    expect(statSync(directory).isDirectory()).toBe(true);
  });
});
