import type { CreationOptions } from "./creation.js";
import { type Migration, MIGRATIONS } from "./migrations.js";
import { openConnection, settle } from "./sqlite-connection.js";
import { SqliteKeyStore } from "./sqlite-keys.js";
import { SqlitePetStore } from "./sqlite-pets.js";
import { createSqliteProbe } from "./sqlite-probe.js";
import { SqliteRateStore } from "./sqlite-rates.js";
import type { Store } from "./store.js";

export interface SqliteStoreOptions extends CreationOptions {
  /** How long, in milliseconds, to wait for a lock that another process holds; default 2000. */
  readonly busyTimeoutMs?: number;
  /** Schema to bring the database to; default {@link MIGRATIONS}. */
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
  const pets = new SqlitePetStore(connection, options);
  return {
    pets,
    keys: new SqliteKeyStore(connection),
    rates: new SqliteRateStore(connection),
    ping: createSqliteProbe(connection, file),
    close: () =>
      settle(() => {
        pets.flush();
        connection.close();
      }),
  };
}
