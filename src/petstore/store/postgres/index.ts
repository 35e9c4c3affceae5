import { type Migration, MIGRATIONS } from "../migrations.js";
import { createKeyStore, findKeysByHash } from "../sql/keys.js";
import { type CreationOptions, SqlPetStore } from "../sql/pets.js";
import { run, type Statement } from "../sql/work.js";
import type { RateStore, Store } from "../store.js";
import { cacheKeys } from "./cached-keys.js";
import { PostgresConnection } from "./connection.js";
import { POSTGRES_CREATIONS, takeIds } from "./creations.js";
import { toOpenError } from "./errors.js";
import { assertMigrated, migratePostgres } from "./migrate.js";
import { Servers } from "./servers.js";
import { type PostgresLimits, toClientConfig } from "./session.js";

export interface PostgresStoreOptions extends CreationOptions {
  /** Maximum number of connections. Default: 10. */
  readonly poolSize?: number;
  /** Default: {@link POSTGRES_LIMITS}. */
  readonly limits?: Partial<PostgresLimits>;
  /** Migrations to apply. Default: {@link MIGRATIONS}. */
  readonly migrations?: readonly Migration[];
}

/** Limits for the callers of the service. */
const POSTGRES_LIMITS: PostgresLimits = { connectMs: 2000, statementMs: 5000, lockMs: 2000 };

/**
 * Opens the store in an existing PostgreSQL database.
 * @param url `postgres://USER:PASSWORD@HOST/DATABASE`, with several hosts if need be, as {@link Servers} reads it
 * @throws {StoreOpenError} when the database cannot be used as it is. No message contains the password.
 * @throws {StoreUnavailableError} when it cannot be opened now.
 */
export async function openPostgresStore(url: string, options: PostgresStoreOptions = {}): Promise<Store> {
  const connection = await openPostgresConnection(url, {
    poolSize: options.poolSize ?? 10,
    limits: { ...POSTGRES_LIMITS, ...options.limits },
    migrations: options.migrations ?? MIGRATIONS,
  });
  const pets = new SqlPetStore(connection, POSTGRES_CREATIONS, options);
  return {
    pets,
    keys: cacheKeys(createKeyStore(connection), (hashes) => findKeysByHash(connection, hashes)),
    rates: createPostgresRates(connection),
    ping: createPostgresProbe(connection),
    async close() {
      await pets.flush();
      await connection.close();
    },
  };
}

interface PostgresConnectionOptions extends Required<Pick<PostgresStoreOptions, "poolSize" | "migrations">> {
  readonly limits: PostgresLimits;
  /** True to refuse a database that lacks migrations, and not to change it. Default: missing migrations are applied. */
  readonly mustBeMigrated?: boolean;
}

/** Opens connections to a database with all migrations. Throws as {@link openPostgresStore} does. */
export async function openPostgresConnection(
  url: string,
  { poolSize, limits, migrations, mustBeMigrated = false }: PostgresConnectionOptions,
): Promise<PostgresConnection> {
  const servers = new Servers(url);
  const { place } = servers;
  try {
    const server = await servers.find(limits.connectMs);
    const config = toClientConfig(server.url, limits.connectMs);
    await (mustBeMigrated ? assertMigrated : migratePostgres)(config, migrations, place);
  } catch (error) {
    throw toOpenError(error, place);
  }
  return new PostgresConnection(servers, poolSize, limits);
}

/** The server's clock in microseconds, because those of the machines differ. */
const NOW = "(extract(epoch from now()) * 1000000)::bigint";

/** Parameters: key and use in microseconds. */
const ADD_TO_RATE: Statement = {
  name: "add to key rate",
  text: `insert into key_rates (key_id, regained_at) values ($1, ${NOW} + $2::bigint)
    on conflict (key_id) do update set regained_at = greatest(key_rates.regained_at, ${NOW}) + $2::bigint
    returning regained_at - ${NOW} as used`,
};

function createPostgresRates(connection: PostgresConnection): RateStore {
  return {
    async add(keyId, usedMs) {
      const [row] = await connection.read<{ used: number }>(ADD_TO_RATE, [keyId, Math.round(usedMs * 1000)]);
      return (row?.used ?? 0) / 1000;
    },
  };
}

const INSERT_PROBE: Statement = {
  name: "insert probe",
  text: "insert into pets (id, name, category_id) values ($1, 'probe', 0)",
};

const FIND_KEYS: Statement = { name: "find no key", text: "select from api_keys limit 0" };

/** Creates the check that keys can be found and pets created: it inserts a pet, rolls it back and commits. */
function createPostgresProbe(connection: PostgresConnection): () => Promise<void> {
  return () =>
    connection.write(function* () {
      // Waits for the lock that creations wait for; this update is also what makes the commit write to the disk.
      const last = yield* takeIds(0);
      yield* run(FIND_KEYS);
      yield* run({ text: "savepoint probe" });
      yield* run(INSERT_PROBE, [last + 1]);
      yield* run({ text: "rollback to savepoint probe" });
    });
}
