import { resolve } from "node:path";
import { type Migration, MIGRATIONS } from "../migrations.js";
import { createKeyStore } from "../sql/keys.js";
import { type CreationOptions, SqlPetStore } from "../sql/pets.js";
import { run, type Statement } from "../sql/work.js";
import type { RateStore, Store } from "../store.js";
import type { SqliteConnection } from "./connection.js";
import { SQLITE_CREATIONS } from "./creations.js";
import { IN_MEMORY, openConnection } from "./open.js";
import { startQuickChecks } from "./quick-checks.js";

export interface SqliteStoreOptions extends CreationOptions {
  /** How long to wait for a lock that another process holds, in milliseconds. Default: 2,000. */
  readonly busyTimeoutMs?: number;
  /** Time between two checks of the whole database, in milliseconds. Default: 5 minutes. */
  readonly quickCheckMs?: number;
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
  const stopChecks =
    file === IN_MEMORY
      ? undefined
      : startQuickChecks(resolve(file), {
          intervalMs: options.quickCheckMs ?? 300_000,
          isIntact: () => connection.isIntact(),
          onCorrupt: () => {
            connection.markCorrupt();
          },
        });
  return {
    pets,
    keys: createKeyStore(connection),
    rates: createSqliteRates(connection),
    ping: createSqliteProbe(connection),
    async close() {
      await stopChecks?.();
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
 */
export function createSqliteProbe(connection: SqliteConnection): () => Promise<void> {
  return () =>
    connection.write(function* () {
      yield* run({ text: "savepoint probe" });
      yield* run(INSERT_PROBE);
      yield* run({ text: "rollback to probe" });
    });
}
