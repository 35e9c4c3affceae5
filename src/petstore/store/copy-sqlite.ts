import { existsSync } from "node:fs";
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
import { PET_COLUMNS, type PetRow, SELECT_PETS, toPet } from "./pet-rows.js";
import { openConnection, type SqliteConnection } from "./sqlite-connection.js";
import { bind } from "./sqlite-driver.js";
import { RECORD_USE } from "./sqlite-keys.js";
import { type IdempotencyKey, type StoredKey, StoreOpenError } from "./store.js";

/**
 * Opens a SQLite file for a copy.
 * @param mustExist A source is not created.
 * @throws {StoreOpenError} when the file cannot be used as it is.
 */
export async function openSqliteSide(file: string, mustExist: boolean): Promise<CopySide> {
  if (mustExist && !existsSync(file)) throw new StoreOpenError(`Cannot open ${file}: there is no such file.`);
  const connection = await openConnection(file, { busyTimeoutMs: 2000, migrations: MIGRATIONS });
  return new SqliteSide(connection, file);
}

class SqliteSide implements CopySide {
  readonly place: string;
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection, file: string) {
    this.#connection = connection;
    this.place = file;
  }

  readPets(after: number, limit: number): Promise<readonly Pet[]> {
    return this.#connection.attempt(() =>
      this.#connection
        .prepare(SELECT_PETS)
        .all(bind([after, limit]))
        .map((row) => toPet(row as PetRow)),
    );
  }

  writePets(pets: readonly Pet[]): Promise<void> {
    return this.#write((connection) => {
      const insert = connection.prepare(`insert into pets (${PET_COLUMNS}) values ($1, $2, $3, $4)`);
      for (const { id, name, categoryId, status } of pets)
        insert.run(bind([id, name, categoryId, status ?? null]));
    });
  }

  readKeys(): Promise<readonly StoredKey[]> {
    return this.#connection.attempt(() =>
      this.#connection
        .prepare(SELECT_HASHED_KEYS)
        .all()
        .map((row) => toStoredKey(row as HashedKeyRow)),
    );
  }

  writeKeys(keys: readonly StoredKey[]): Promise<void> {
    return this.#write((connection) => {
      const insert = connection.prepare(INSERT_KEY);
      for (const key of keys) insert.run(bind(toKeyValues(key)));
    });
  }

  readUsedKeys({ caller, key }: IdempotencyKey, limit: number): Promise<readonly UsedKeyRow[]> {
    return this.#connection.attempt(
      () => this.#connection.prepare(SELECT_USED_KEYS).all(bind([caller, key, limit])) as UsedKeyRow[],
    );
  }

  writeUsedKeys(keys: readonly UsedKeyRow[]): Promise<void> {
    return this.#write((connection) => {
      const insert = connection.prepare(
        `insert into idempotency_keys (${USED_KEY_COLUMNS}) values ($1, $2, $3, $4, $5)`,
      );
      for (const { caller, key, fingerprint, petId, usedAt } of keys)
        insert.run(bind([caller, key, fingerprint, petId, usedAt]));
    });
  }

  deleteUsedKeys(): Promise<void> {
    return this.#write((connection) => {
      connection.exec("delete from idempotency_keys");
    });
  }

  readKeyHistory(): Promise<KeyHistory> {
    return this.#connection.attempt(() => {
      const [events, uses] = [SELECT_EVENTS, SELECT_USES].map((text) => this.#connection.prepare(text).all());
      return {
        events: (events as EventRow[]).map(toKeyEvent),
        uses: new Map((uses as UseRow[]).map(toUse)),
      };
    });
  }

  writeKeyHistory({ events, uses }: KeyHistory): Promise<void> {
    return this.#write((connection) => {
      const insert = connection.prepare(INSERT_EVENT);
      for (const event of events) insert.run(bind(toEventValues(event)));
      const record = connection.prepare(RECORD_USE);
      for (const [id, at] of uses) record.run(bind([id, at.toISOString()]));
    });
  }

  readLastId(): Promise<number> {
    return this.#connection.attempt(() => {
      const row = this.#connection.prepare("select seq from sqlite_sequence where name = 'pets'").get();
      return (row as { seq: number } | undefined)?.seq ?? 0;
    });
  }

  writeLastId(id: number): Promise<void> {
    return this.#write((connection) => {
      // The table has no constraint that would make this one statement.
      connection.exec("delete from sqlite_sequence where name = 'pets'");
      connection.prepare("insert into sqlite_sequence (name, seq) values ('pets', $1)").run(bind([id]));
    });
  }

  close(): Promise<void> {
    return this.#connection.attempt(() => {
      this.#connection.close();
    });
  }

  #write(work: (connection: SqliteConnection) => void): Promise<void> {
    return this.#connection.attempt(() => {
      this.#connection.transaction(() => {
        work(this.#connection);
      });
    });
  }
}
