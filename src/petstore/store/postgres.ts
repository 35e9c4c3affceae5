import { CachedKeyStore } from "./cached-keys.js";
import type { CreationOptions } from "./creation.js";
import { type Migration, MIGRATIONS } from "./migrations.js";
import { PostgresConnection, type PostgresLimits, toClientConfig, toPlace } from "./postgres-connection.js";
import { toOpenError } from "./postgres-errors.js";
import { PostgresKeyStore } from "./postgres-keys.js";
import { migratePostgres } from "./postgres-migrate.js";
import { PostgresPetStore } from "./postgres-pets.js";
import { createPostgresProbe } from "./postgres-probe.js";
import { PostgresRateStore } from "./postgres-rates.js";
import type { Store } from "./store.js";

export interface PostgresStoreOptions extends CreationOptions {
  /** Most connections at once; default 10. */
  readonly poolSize?: number;
  /** Default: 2000 ms for a connection and for a lock, 5000 for a statement. */
  readonly limits?: Partial<PostgresLimits>;
  /** Schema to bring the database to; default {@link MIGRATIONS}. */
  readonly migrations?: readonly Migration[];
}

export const POSTGRES_LIMITS: PostgresLimits = { connectMs: 2000, statementMs: 5000, lockMs: 2000 };

/**
 * Opens the store in a PostgreSQL database, which must exist.
 * @param url `postgres://USER:PASSWORD@HOST/DATABASE`
 * @throws {StoreOpenError} when the database cannot be used as it is. No message holds the password.
 * @throws {StoreUnavailableError} when it cannot be opened now.
 */
export async function openPostgresStore(url: string, options: PostgresStoreOptions = {}): Promise<Store> {
  const limits = { ...POSTGRES_LIMITS, ...options.limits };
  const place = toPlace(url);
  try {
    await migratePostgres(toClientConfig(url, limits), options.migrations ?? MIGRATIONS, place);
  } catch (error) {
    throw toOpenError(error, place);
  }
  const connection = new PostgresConnection(url, options.poolSize ?? 10, limits);
  const pets = new PostgresPetStore(connection, options);
  return {
    pets,
    keys: new CachedKeyStore(new PostgresKeyStore(connection)),
    rates: new PostgresRateStore(connection),
    ping: createPostgresProbe(connection),
    async close() {
      await pets.flush();
      await connection.close();
    },
  };
}
