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
import { run, type Statement, type Work } from "../sql/work.js";
import type { IdempotencyKey, RateStore, Store } from "../store.js";
import { cacheKeys } from "./cached-keys.js";
import { PostgresConnection, type PostgresLimits, toClientConfig, toPlace } from "./connection.js";
import { toOpenError, UsedConcurrentlyError } from "./errors.js";
import { assertMigrated, migratePostgres } from "./migrate.js";

export { toPlace };

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
 * @param url `postgres://USER:PASSWORD@HOST/DATABASE`
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
    keys: cacheKeys(createKeyStore(connection)),
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

/** Opens a connection to a database with all migrations. Throws as {@link openPostgresStore} does. */
export async function openPostgresConnection(
  url: string,
  { poolSize, limits, migrations, mustBeMigrated = false }: PostgresConnectionOptions,
): Promise<PostgresConnection> {
  const place = toPlace(url);
  try {
    await (mustBeMigrated ? assertMigrated : migratePostgres)(toClientConfig(url, limits), migrations, place);
  } catch (error) {
    throw toOpenError(error, place);
  }
  return new PostgresConnection(url, poolSize, limits);
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

/** Creates the check that pets can be created: it inserts one, rolls it back and commits. */
function createPostgresProbe(connection: PostgresConnection): () => Promise<void> {
  return () =>
    connection.write(function* () {
      // Waits for the lock that creations wait for; this update is also what makes the commit write to the disk.
      const last = yield* takeIds(0);
      yield* run({ text: "savepoint probe" });
      yield* run(INSERT_PROBE, [last + 1]);
      yield* run({ text: "rollback to savepoint probe" });
    });
}

const TAKE_IDS: Statement = {
  name: "take ids",
  text: "update pet_ids set last = last + $1 where id = 1 returning last",
};
/** Parameters: one list per column. */
const INSERT_PETS: Statement = {
  name: "insert pets",
  text:
    `insert into pets (${PET_COLUMNS}) ` +
    `select * from unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[]) returning ${PET_COLUMNS}`,
};
/** Parameters: callers, keys, the instant at which used keys are expired. */
const FIND_KEYS: Statement = {
  name: "find idempotency keys",
  text:
    'select caller, key, fingerprint, pet_id as "petId" from idempotency_keys ' +
    "where (caller, key) in (select * from unnest($1::text[], $2::text[])) and used_at > $3",
};
/** Parameters: callers, keys, fingerprints, pets, current time, the instant at which used keys are expired. */
const INSERT_KEYS: Statement = {
  name: "insert idempotency keys",
  text:
    `insert into idempotency_keys (${USED_KEY_COLUMNS}) ` +
    "select caller, key, fingerprint, pet_id, $5 " +
    "from unnest($1::text[], $2::text[], $3::bytea[], $4::bigint[]) as new (caller, key, fingerprint, pet_id) " +
    // An expired key may not be deleted yet.
    "on conflict (caller, key) do update " +
    "set fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, used_at = excluded.used_at " +
    "where idempotency_keys.used_at <= $6 returning pet_id",
};

/** Creates all pets of a transaction with a few statements, because each takes a round trip. */
const POSTGRES_CREATIONS: CreationStatements = {
  /** The lock on the row of `pet_ids` is held until the commit, so that ids become visible in ascending order. */
  *insertPets(pets) {
    if (pets.length === 0) return [];
    const first = (yield* takeIds(pets.length)) - pets.length + 1;
    const rows = yield* run<PetRow>(INSERT_PETS, [
      pets.map((_, index) => first + index),
      pets.map(({ name }) => name),
      pets.map(({ categoryId }) => categoryId),
      pets.map(({ status }) => status ?? null),
    ]);
    return rows.toSorted((a, b) => a.id - b.id);
  },

  findKeys: (keys, { expiredAt }) => run<UsedKey>(FIND_KEYS, [...toColumns(keys), expiredAt]),

  /** @throws {UsedConcurrentlyError} when another process has stored one of the keys meanwhile. */
  *insertKeys(keys, { now, expiredAt }) {
    const fingerprints = keys.map(({ fingerprint }) => fingerprint);
    const petIds = keys.map(({ petId }) => petId);
    const inserted = yield* run(INSERT_KEYS, [...toColumns(keys), fingerprints, petIds, now, expiredAt]);
    if (inserted.length < keys.length)
      throw new UsedConcurrentlyError("Another process has used an idempotency key");
  },
};

/** Takes ids, and keeps others waiting for theirs until the commit. Returns the last one. */
function* takeIds(count: number): Work<number> {
  const [taken] = yield* run<{ last: number }>(TAKE_IDS, [count]);
  if (taken === undefined) throw new TypeError("The table pet_ids has lost its row");
  return taken.last;
}

function toColumns(keys: readonly IdempotencyKey[]): readonly [string[], string[]] {
  return [keys.map(({ caller }) => caller), keys.map(({ key }) => key)];
}
