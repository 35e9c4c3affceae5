// @thorough: damages databases of running services.
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import {
  closeSync,
  copyFileSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { loadSqliteDriver } from "../../../src/petstore/store/sqlite/driver.js";
import { openSqliteStore } from "../../../src/petstore/store/sqlite/index.js";
import { type Store, StoreUnavailableError } from "../../../src/petstore/store/store.js";
import { createDirectory } from "../../support/directory.js";
import { callsTo, type PetStore, startPetStore } from "../../support/petstore.js";
import { endProcesses, startProcess, startServing } from "../../support/petstore-process.js";
import { until } from "../../support/until.js";

const pet = { name: "Rex", categoryId: 1 };
const { DatabaseSync } = loadSqliteDriver();

/** Writes in place, as a misdirected `dd` or a copy over the file would. */
function overwrite(path: string, bytes: Buffer, position: number): void {
  const descriptor = openSync(path, "r+");
  writeSync(descriptor, bytes, 0, bytes.length, position);
  closeSync(descriptor);
}

/** Moves all commits from the log to the file. */
function checkpoint(file: string): void {
  const other = new DatabaseSync(file);
  other.exec("pragma wal_checkpoint(passive)");
  other.close();
}

const DAMAGES: readonly (readonly [string, (file: string) => void])[] = [
  ["removed", rmSync],
  [
    "replaced",
    (file) => {
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
    },
  ],
  [
    "truncated",
    (file) => {
      truncateSync(file);
    },
  ],
  [
    "cut in half",
    (file) => {
      truncateSync(file, 8_192);
    },
  ],
  [
    "given another header",
    (file) => {
      overwrite(file, Buffer.alloc(16), 0);
    },
  ],
  [
    "deprived of its log",
    (file) => {
      rmSync(`${file}-wal`);
    },
  ],
  [
    "given another log",
    (file) => {
      rmSync(`${file}-wal`);
      writeFileSync(`${file}-wal`, "");
    },
  ],
  [
    "deprived of the memory that processes share",
    (file) => {
      rmSync(`${file}-shm`);
    },
  ],
  [
    "given another memory that processes share",
    (file) => {
      copyFileSync(`${file}-shm`, `${file}.copy`);
      renameSync(`${file}.copy`, `${file}-shm`);
    },
  ],
  [
    "given an empty log",
    (file) => {
      truncateSync(`${file}-wal`);
    },
  ],
  [
    "given half a log",
    (file) => {
      truncateSync(`${file}-wal`, statSync(`${file}-wal`).size / 2);
    },
  ],
];

describe("while the database file is", () => {
  let file: string;
  let service: PetStore;
  beforeEach(async () => {
    file = join(createDirectory(), "pets.db");
    service = await startPetStore({ env: { DATABASE_URL: `sqlite:${file}` } });
  });
  // A damaged database may also fail to close.
  afterEach(() => service.stop().catch(() => undefined));

  test.each(DAMAGES)("%s, creations are 503 and readiness is red", async (_, damage) => {
    await service.create(pet);
    checkpoint(file);
    await service.create(pet);
    expect(await service.call("/readyz", { key: null })).toMatchObject({ status: 200 });
    damage(file);
    for (let i = 0; i < 5; i++)
      expect(await service.call("/v1/pets", { json: pet })).toMatchObject({
        status: 503,
        json: { code: "unavailable" },
      });
    await until(async () => (await service.call("/readyz", { key: null })).status === 503);
  });
});

test("truncated memory that processes share ends the process, and no creation is lost", async () => {
  const file = join(createDirectory(), "pets.db");
  const env = { DATABASE_URL: `sqlite:${file}` };
  const first = await startServing({ env });
  const created = [await first.calls.create(pet), await first.calls.create(pet)];
  truncateSync(`${file}-shm`);
  // Its store checks nothing until it is used.
  await first.calls.call("/v1/pets").catch(() => undefined);
  expect((await first.ended()).signal).toBe("SIGBUS");
  const second = startProcess({ env });
  const again = callsTo(await second.listening(), first.calls.key);
  expect((await again.call("/v1/pets")).json).toEqual(created);
  await endProcesses();
});

describe("a store", () => {
  let file: string;
  let store: Store;
  beforeEach(async () => {
    file = join(createDirectory(), "pets.db");
    store = await openSqliteStore(file, { quickCheckMs: 5 });
  });
  afterEach(() => store.close().catch(() => undefined));

  test("with a corrupt page finds it without a request that reads it", async () => {
    await Promise.all(
      Array.from({ length: 200 }, () => store.pets.create({ ...pet, name: "x".repeat(1_000) })),
    );
    checkpoint(file);
    await expect(store.ping()).resolves.toBeUndefined();
    overwrite(file, Buffer.alloc(4_096, 0xff), statSync(file).size - 3 * 4_096);
    await until(() =>
      store.ping().then(
        () => false,
        (error: unknown) => error instanceof StoreUnavailableError,
      ),
    );
    await expect(store.pets.create(pet)).rejects.toThrow(/is corrupt/);
  });

  test("that was damaged stays unavailable after the file is back, because SQLite keeps pages in memory", async () => {
    checkpoint(file);
    copyFileSync(file, `${file}.copy`);
    truncateSync(file);
    await expect(store.ping()).rejects.toThrow(StoreUnavailableError);
    copyFileSync(`${file}.copy`, file);
    await expect(store.ping()).rejects.toThrow(/was truncated/);
  });

  test("is not disturbed by checks, checkpoints, a vacuum and other connections", async () => {
    const other = await openSqliteStore(file);
    for (let round = 0; round < 5; round++) {
      const names = Array.from({ length: 300 }, () => ({ ...pet, name: "x".repeat(1_000) }));
      await Promise.all(names.map((named) => store.pets.create(named)));
      const operator = new DatabaseSync(file);
      operator.exec(`delete from pets where id > ${round * 10 + 10}`);
      operator.exec("vacuum");
      operator.exec(`pragma wal_checkpoint(${round % 2 === 0 ? "truncate" : "passive"})`);
      operator.close();
      await expect(store.ping()).resolves.toBeUndefined();
      await expect(other.pets.create(pet)).resolves.toBeDefined();
      // A check runs meanwhile.
      await setTimeout(10);
    }
    await other.close();
    await expect(store.pets.create(pet)).resolves.toBeDefined();
  });

  test("closes while a check runs", async () => {
    for (let turns = 0; turns < 20; turns++) {
      const path = join(createDirectory(), "pets.db");
      const checked = await openSqliteStore(path, { quickCheckMs: 1 });
      // The thread of a check is at another point each time.
      await setTimeout(3 * turns);
      await checked.close();
      // A connection that is still open would keep the log from being emptied.
      expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
    }
  });
});
