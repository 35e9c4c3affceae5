import {
  type HashedKeyRow,
  INSERT_KEY,
  type KeyRow,
  REPLACE_KEY,
  REVOKE_KEY,
  SELECT_KEY,
  SELECT_KEY_BY_HASH,
  SELECT_KEYS,
  toKeyRecord,
  toKeyValues,
  toStoredKey,
} from "./key-rows.js";
import type { SqliteConnection } from "./sqlite-connection.js";
import { bind, type SqliteStatement } from "./sqlite-driver.js";
import type { KeyRecord, KeyStore, StoredKey } from "./store.js";

/** API keys in SQLite. */
export class SqliteKeyStore implements KeyStore {
  readonly #connection: SqliteConnection;
  readonly #insert: SqliteStatement;
  readonly #get: SqliteStatement;
  readonly #findByHash: SqliteStatement;
  readonly #list: SqliteStatement;
  readonly #replace: SqliteStatement;
  readonly #revoke: SqliteStatement;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
    this.#insert = connection.prepare(INSERT_KEY);
    this.#get = connection.prepare(SELECT_KEY);
    this.#findByHash = connection.prepare(SELECT_KEY_BY_HASH);
    this.#list = connection.prepare(SELECT_KEYS);
    this.#replace = connection.prepare(REPLACE_KEY);
    this.#revoke = connection.prepare(REVOKE_KEY);
  }

  insert(key: StoredKey): Promise<void> {
    return this.#write(() => {
      this.#insert.run(bind(toKeyValues(key)));
    });
  }

  get(id: string): Promise<KeyRecord | undefined> {
    return this.#connection.attempt(() => toRecord(this.#get.get({ 1: id })));
  }

  findByHash(hash: Uint8Array): Promise<StoredKey | undefined> {
    return this.#connection.attempt(() => {
      const row = this.#findByHash.get({ 1: hash }) as HashedKeyRow | undefined;
      return row && toStoredKey(row);
    });
  }

  list(): Promise<readonly KeyRecord[]> {
    return this.#connection.attempt(() => this.#list.all().map((row) => toKeyRecord(row as KeyRow)));
  }

  replace(id: string, successor: StoredKey, expiresAt: Date): Promise<boolean> {
    return this.#write(() => {
      const replaced = this.#replace.get({ 1: id, 2: successor.id, 3: expiresAt.toISOString() });
      if (replaced === undefined) return false;
      this.#insert.run(bind(toKeyValues(successor)));
      return true;
    });
  }

  revoke(id: string, at: Date): Promise<KeyRecord | undefined> {
    return this.#write(() => toRecord(this.#revoke.get({ 1: id, 2: at.toISOString() })));
  }

  #write<T>(work: () => T): Promise<T> {
    return this.#connection.attempt(() => this.#connection.transaction(work));
  }
}

function toRecord(row: unknown): KeyRecord | undefined {
  return row === undefined ? undefined : toKeyRecord(row as KeyRow);
}
