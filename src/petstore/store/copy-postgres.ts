import type { Pet } from "../../../generated/v1/server.js";
import type { CopySide, KeyHistory } from "./copy.js";
import { SELECT_USED_KEYS, USED_KEY_COLUMNS, type UsedKeyRow } from "./idempotency.js";
import {
  type EventRow,
  type HashedKeyRow,
  INSERT_EVENT,
  INSERT_KEY,
  SELECT_EVENTS,
  SELECT_HASHED_KEYS,
  SELECT_USES,
  toEventValues,
  toKeyEvent,
  toKeyValues,
  toStoredKey,
  toUse,
  type UseRow,
} from "./key-rows.js";
import { MIGRATIONS } from "./migrations.js";
import { type PetRow, SELECT_PETS, toPet } from "./pet-rows.js";
import { PostgresConnection, type PostgresLimits, toClientConfig, toPlace } from "./postgres-connection.js";
import { toOpenError } from "./postgres-errors.js";
import { RECORD_USES } from "./postgres-keys.js";
import { assertMigrated, migratePostgres } from "./postgres-migrate.js";
import { INSERT_PETS, toColumns } from "./postgres-creations.js";
import type { IdempotencyKey, StoredKey } from "./store.js";

/** Nobody waits for an answer. */
const LIMITS: PostgresLimits = { connectMs: 5000, statementMs: 60_000, lockMs: 5000 };

/**
 * Opens a PostgreSQL database for a copy.
 * @param mustExist A source gets no tables.
 * @throws {StoreOpenError} when the database cannot be used as it is.
 */
export async function openPostgresSide(url: string, mustExist: boolean): Promise<CopySide> {
  const place = toPlace(url);
  try {
    await (mustExist ? assertMigrated : migratePostgres)(toClientConfig(url, LIMITS), MIGRATIONS, place);
  } catch (error) {
    throw toOpenError(error, place);
  }
  return new PostgresSide(new PostgresConnection(url, 1, LIMITS), place);
}

class PostgresSide implements CopySide {
  readonly place: string;
  readonly #connection: PostgresConnection;

  constructor(connection: PostgresConnection, place: string) {
    this.#connection = connection;
    this.place = place;
  }

  readPets(after: number, limit: number): Promise<readonly Pet[]> {
    return this.#connection.attempt(async (query) =>
      (await query<PetRow>({ text: SELECT_PETS }, [after, limit])).map(toPet),
    );
  }

  writePets(pets: readonly Pet[]): Promise<void> {
    return this.#connection.transaction(async (query) => {
      await query(INSERT_PETS, toColumns(pets));
      // Were the service started on half a copy, it would not give an id twice.
      await query({ text: "update pet_ids set last = $1 where id = 1" }, [pets.at(-1)?.id ?? 0]);
    });
  }

  readKeys(): Promise<readonly StoredKey[]> {
    return this.#connection.attempt(async (query) =>
      (await query<HashedKeyRow>({ text: SELECT_HASHED_KEYS })).map(toStoredKey),
    );
  }

  writeKeys(keys: readonly StoredKey[]): Promise<void> {
    return this.#connection.transaction(async (query) => {
      for (const key of keys) await query({ name: "insert key", text: INSERT_KEY }, toKeyValues(key));
    });
  }

  readUsedKeys({ caller, key }: IdempotencyKey, limit: number): Promise<readonly UsedKeyRow[]> {
    return this.#connection.attempt((query) =>
      query<UsedKeyRow>({ text: SELECT_USED_KEYS }, [caller, key, limit]),
    );
  }

  writeUsedKeys(keys: readonly UsedKeyRow[]): Promise<void> {
    return this.#connection.attempt(async (query) => {
      const text =
        `insert into idempotency_keys (${USED_KEY_COLUMNS}) ` +
        "select * from unnest($1::text[], $2::text[], $3::bytea[], $4::bigint[], $5::text[])";
      await query({ text }, [
        keys.map(({ caller }) => caller),
        keys.map(({ key }) => key),
        keys.map(({ fingerprint }) => fingerprint),
        keys.map(({ petId }) => petId),
        keys.map(({ usedAt }) => usedAt),
      ]);
    });
  }

  deleteUsedKeys(): Promise<void> {
    return this.#connection.attempt(async (query) => {
      await query({ text: "delete from idempotency_keys" });
    });
  }

  readKeyHistory(): Promise<KeyHistory> {
    return this.#connection.attempt(async (query) => ({
      events: (await query<EventRow>({ text: SELECT_EVENTS })).map(toKeyEvent),
      uses: new Map((await query<UseRow>({ text: SELECT_USES })).map(toUse)),
    }));
  }

  writeKeyHistory({ events, uses }: KeyHistory): Promise<void> {
    return this.#connection.transaction(async (query) => {
      for (const event of events)
        await query({ name: "insert event", text: INSERT_EVENT }, toEventValues(event));
      await query(RECORD_USES, [[...uses.keys()], [...uses.values()].map((at) => at.toISOString())]);
    });
  }

  readLastId(): Promise<number> {
    return this.#connection.attempt(async (query) => {
      const [row] = await query<{ last: number }>({ text: "select last from pet_ids where id = 1" });
      return row?.last ?? 0;
    });
  }

  writeLastId(id: number): Promise<void> {
    return this.#connection.attempt(async (query) => {
      await query({ text: "update pet_ids set last = $1 where id = 1" }, [id]);
    });
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}
