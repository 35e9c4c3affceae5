import { closeSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { loadSqliteDriver } from "../../src/petstore/store/sqlite/driver.js";
import { openSqliteStore } from "../../src/petstore/store/sqlite/index.js";
import type { PetQuery, PetStore, Store } from "../../src/petstore/store/store.js";
import { shuffle } from "./http/statistics.js";

/** Every fourth animal has each; so has every fourth none. */
const STATUSES = ["available", "pending", "sold"] as const;
const LIMIT = 20;
const WRITERS = [1, 32, 128];

/** Pages of one kind: `middle, sold` of 10,000,000. */
export interface PageResult {
  readonly pets: number;
  readonly filtered: boolean;
  readonly place: "first" | "middle" | "last";
  /** Microseconds a page, one figure a round. */
  readonly times: number[];
}

export interface CreationResult {
  readonly pets: number;
  /** Callers that each create one animal after another. */
  readonly writers: number;
  /** One figure a round, both. */
  readonly perSecond: number[];
  readonly perCommit: number[];
}

export interface StoreResults {
  readonly pages: readonly PageResult[];
  readonly creations: readonly CreationResult[];
  /** Bytes of each database before anything was created, in the order of the sizes. */
  readonly bytes: readonly number[];
  /** Pages that the disk takes one after the other, each flushed: what bounds a lone writer. One figure a round. */
  readonly flushesPerSecond: readonly number[];
}

export interface StoreBenchOptions {
  /** Numbers of animals; each has a database of its own. */
  readonly sizes: readonly number[];
  /** Where the databases go. */
  readonly folder: string;
  readonly rounds: number;
  /** Pages of each kind in a round. */
  readonly pagesPerRound: number;
  /** How long animals are created in a round, for each number of writers. */
  readonly milliseconds: number;
}

/** Measures pages and creations through the service's own store, all kinds in random order in each round. */
export async function measureStore(options: StoreBenchOptions): Promise<StoreResults> {
  const { sizes, folder, rounds, pagesPerRound, milliseconds } = options;
  const each: { pets: number; file: string; bytes: number; store: Store }[] = [];
  for (const pets of sizes) {
    const file = join(folder, `${pets}.db`);
    await fill(file, pets);
    each.push({ pets, file, bytes: statSync(file).size, store: await openSqliteStore(file) });
  }

  const pages = each.flatMap(({ pets, store }) => toPageCases(pets, store.pets));
  for (let round = -1; round < rounds; round++) {
    for (const { query, store, result } of shuffle(pages)) {
      const time = await measurePages(store, query, pagesPerRound);
      // The first round fills caches.
      if (round >= 0) result.times.push(time);
    }
  }
  const creations = each.flatMap((one) =>
    WRITERS.map((writers) => ({
      ...one,
      writers,
      result: { pets: one.pets, writers, perSecond: [] as number[], perCommit: [] as number[] },
    })),
  );
  const flushesPerSecond: number[] = [];
  for (let round = 0; round < rounds; round++) {
    flushesPerSecond.push(measureFlushes(join(folder, "flushes"), milliseconds));
    for (const { store, file, writers, result } of shuffle(creations)) {
      const before = countCommits(file);
      const began = performance.now();
      const created = await create(store.pets, writers, milliseconds);
      result.perSecond.push((created / (performance.now() - began)) * 1000);
      result.perCommit.push(created / (countCommits(file) - before));
    }
  }
  await Promise.all(each.map(({ store }) => store.close()));
  return {
    pages: pages.map(({ result }) => result),
    creations: creations.map(({ result }) => result),
    bytes: each.map(({ bytes }) => bytes),
    flushesPerSecond,
  };
}

/** Makes a database with the service's schema and so many animals, ids from 1 on. */
async function fill(file: string, pets: number): Promise<void> {
  await (await openSqliteStore(file)).close();
  const database = new (loadSqliteDriver().DatabaseSync)(file);
  // Nothing is lost that cannot be made again; a log would be as large as the database.
  database.exec("pragma journal_mode = off; pragma synchronous = off");
  const choice = STATUSES.map((status, index) => `when ${index + 1} then '${status}'`).join(" ");
  database.exec(
    `insert into pets (id, name, category_id, status)
     with recursive numbers (id) as (select 1 union all select id + 1 from numbers where id < ${pets})
     select id, 'Animal ' || id, id % 100, case id % 4 ${choice} end from numbers`,
  );
  database.close();
}

function toPageCases(pets: number, store: PetStore) {
  return [undefined, "sold" as const].flatMap((status) => {
    const stride = status === undefined ? 1 : STATUSES.length + 1;
    const places = { first: 0, middle: Math.floor(pets / 2), last: pets - LIMIT * stride };
    return Object.entries(places).map(([place, after]) => ({
      store,
      query: { limit: LIMIT, status, after },
      result: {
        pets,
        filtered: status !== undefined,
        place: place as PageResult["place"],
        times: [] as number[],
      },
    }));
  });
}

/** @returns microseconds a page. */
async function measurePages(store: PetStore, query: PetQuery, count: number): Promise<number> {
  const began = performance.now();
  for (let i = 0; i < count; i++) {
    const { pets } = await store.list(query);
    if (pets.length !== LIMIT) throw new Error(`A page has ${pets.length} animals in place of ${LIMIT}`);
  }
  return ((performance.now() - began) / count) * 1000;
}

/** @returns how many animals were created. */
async function create(store: PetStore, writers: number, milliseconds: number): Promise<number> {
  const end = performance.now() + milliseconds;
  let created = 0;
  const write = async (): Promise<void> => {
    while (performance.now() < end) {
      await store.create({ name: "Rex", categoryId: 1, status: "available" });
      created++;
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return created;
}

/** Overwrites pages of a file, as SQLite does its log. */
function measureFlushes(file: string, milliseconds: number): number {
  const page = Buffer.alloc(4_096);
  const descriptor = openSync(file, "w");
  writeSync(descriptor, Buffer.alloc(1_000 * page.length));
  fsyncSync(descriptor);
  const began = performance.now();
  let flushes = 0;
  while (performance.now() < began + milliseconds) {
    writeSync(descriptor, page, 0, page.length, (flushes % 1_000) * page.length);
    fsyncSync(descriptor);
    flushes++;
  }
  closeSync(descriptor);
  return (flushes / milliseconds) * 1000;
}

/**
 * Transactions that were committed to the write-ahead log: `iChange` of its index.
 * @see https://sqlite.org/walformat.html#the_wal_index_header
 */
function countCommits(file: string): number {
  return new Uint32Array(new Uint8Array(readFileSync(`${file}-shm`).subarray(0, 12)).buffer)[2] ?? 0;
}
