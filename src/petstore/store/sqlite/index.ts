import { type BigIntStats, statSync } from "node:fs";
import { resolve } from "node:path";
import { type Migration, MIGRATIONS } from "../migrations.js";
import { createKeyStore } from "../sql/keys.js";
import {
  type CreationOptions,
  type CreationStatements,
  PET_COLUMNS,
  type PetRow,
  SqlPetStore,
  USED_KEY_COLUMNS,
  type UsedKey,
} from "../sql/pets.js";
import { run, type Statement } from "../sql/work.js";
import { type RateStore, type Store, StoreUnavailableError } from "../store.js";
import type { SqliteConnection } from "./connection.js";
import { IN_MEMORY, openConnection } from "./open.js";

export interface SqliteStoreOptions extends CreationOptions {
  /** How long to wait for a lock that another process holds, in milliseconds. Default: 2,000. */
  readonly busyTimeoutMs?: number;
  /** Migrations to apply. Default: {@link MIGRATIONS}. */
  readonly migrations?: readonly Migration[];
}

/**
 * Opens the store in one SQLite file, created when missing.
 * @param file Path relative to the working directory, or `:memory:`.
 * @throws {StoreOpenError} when the file cannot be used as it is.
 * @throws {StoreUnavailableError} when it cannot be opened now.
 */
export async function openSqliteStore(file: string, options: SqliteStoreOptions = {}): Promise<Store> {
  const connection = await openConnection(file, {
    busyTimeoutMs: options.busyTimeoutMs ?? 2000,
    migrations: options.migrations ?? MIGRATIONS,
  });
  const pets = new SqlPetStore(connection, SQLITE_CREATIONS, options);
  return {
    pets,
    keys: createKeyStore(connection),
    rates: createSqliteRates(connection),
    ping: createSqliteProbe(connection, file),
    async close() {
      await pets.flush();
      await connection.close();
    },
  };
}

/** Parameters: key, current time and use, the times in microseconds. */
const ADD_TO_RATE: Statement = {
  name: "add to key rate",
  text: `insert into key_rates (key_id, regained_at) values ($1, $2 + $3)
    on conflict (key_id) do update set regained_at = max(regained_at, $2) + $3
    returning regained_at - $2 as used`,
};

/** Rates in SQLite, for the processes of one machine, which share its clock. */
function createSqliteRates(connection: SqliteConnection): RateStore {
  return {
    add: (keyId, usedMs) =>
      connection.write(function* () {
        const values = [keyId, Date.now() * 1000, Math.round(usedMs * 1000)];
        const [row] = yield* run<{ used: number }>(ADD_TO_RATE, values);
        return (row?.used ?? 0) / 1000;
      }),
  };
}

const INSERT_PROBE: Statement = {
  name: "insert probe",
  text: "insert into pets (name, category_id) values ('probe', 0)",
};

/**
 * Creates the check that pets can be created; it leaves none behind. Rows that a savepoint rolls back are still written: the
 * commit writes the same pages to the disk as that of a real pet, and needs the same space.
 * @param file Path of the open database.
 */
export function createSqliteProbe(connection: SqliteConnection, file: string): () => Promise<void> {
  const assertPresent = file === IN_MEMORY ? undefined : createPresenceCheck(resolve(file));
  return () =>
    connection.write(function* () {
      assertPresent?.();
      yield* run({ text: "savepoint probe" });
      yield* run(INSERT_PROBE);
      yield* run({ text: "rollback to probe" });
    });
}

/** A deleted or moved file still accepts writes, but the next process to start would not find them. */
function createPresenceCheck(path: string): () => void {
  const stat = (): BigIntStats | undefined => statSync(path, { bigint: true, throwIfNoEntry: false });
  const opened = stat();
  return () => {
    const found = stat();
    if (found?.ino === opened?.ino && found?.dev === opened?.dev) return;
    throw new StoreUnavailableError(`The database is not at ${path} any more.`);
  };
}

const INSERT_PET: Statement = {
  name: "insert pet",
  text: `insert into pets (name, category_id, status) values ($1, $2, $3) returning ${PET_COLUMNS}`,
};
/** Parameters: caller, key, the instant at which used keys are expired. */
const FIND_KEY: Statement = {
  name: "find idempotency key",
  text:
    'select caller, key, fingerprint, pet_id as "petId" from idempotency_keys ' +
    "where caller = $1 and key = $2 and used_at > $3",
};
const INSERT_KEY: Statement = {
  name: "insert idempotency key",
  // `replace`, because an expired key may not be deleted yet.
  text: `insert or replace into idempotency_keys (${USED_KEY_COLUMNS}) values ($1, $2, $3, $4, $5)`,
};

/** Creates one pet after the other. The lock of the transaction keeps other processes from using a key meanwhile. */
export const SQLITE_CREATIONS: CreationStatements = {
  *insertPets(pets) {
    const rows: PetRow[] = [];
    for (const { name, categoryId, status } of pets)
      rows.push(...(yield* run<PetRow>(INSERT_PET, [name, categoryId, status ?? null])));
    return rows;
  },

  *findKeys(keys, { expiredAt }) {
    const used: UsedKey[] = [];
    for (const { caller, key } of keys)
      used.push(...(yield* run<UsedKey>(FIND_KEY, [caller, key, expiredAt])));
    return used;
  },

  *insertKeys(keys, { now }) {
    for (const { caller, key, fingerprint, petId } of keys)
      yield* run(INSERT_KEY, [caller, key, fingerprint, petId, now]);
  },
};
