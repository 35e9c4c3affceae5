import {
  type EventRow,
  type HashedKeyRow,
  INSERT_EVENT,
  INSERT_KEY,
  KEEP_LATER_USE,
  type KeyRow,
  type ListedKeyRow,
  REPLACE_KEY,
  REVOKE_KEY,
  SELECT_EVENTS,
  SELECT_EVENTS_OF_KEY,
  SELECT_KEY,
  SELECT_KEY_BY_HASH,
  SELECT_KEYS,
  toEventValues,
  toIssue,
  toKeyEvent,
  toKeyRecord,
  toKeyValues,
  toListedKey,
  toRotation,
  toStoredKey,
} from "./key-rows.js";
import type { SqliteConnection } from "./sqlite-connection.js";
import { bind, type SqliteStatement } from "./sqlite-driver.js";
import type {
  KeyEvent,
  KeyRecord,
  KeyReplacement,
  KeyRevocation,
  KeyStore,
  ListedKey,
  StoredKey,
} from "./store.js";

export const RECORD_USE = `insert into key_uses (key_id, last_used_at) values ($1, $2) ${KEEP_LATER_USE}`;

/** API keys in SQLite. */
export class SqliteKeyStore implements KeyStore {
  readonly #connection: SqliteConnection;
  readonly #insert: SqliteStatement;
  readonly #get: SqliteStatement;
  readonly #findByHash: SqliteStatement;
  readonly #list: SqliteStatement;
  readonly #replace: SqliteStatement;
  readonly #revoke: SqliteStatement;
  readonly #insertEvent: SqliteStatement;
  readonly #listEvents: SqliteStatement;
  readonly #listEventsOfKey: SqliteStatement;
  readonly #recordUse: SqliteStatement;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
    this.#insert = connection.prepare(INSERT_KEY);
    this.#get = connection.prepare(SELECT_KEY);
    this.#findByHash = connection.prepare(SELECT_KEY_BY_HASH);
    this.#list = connection.prepare(SELECT_KEYS);
    this.#replace = connection.prepare(REPLACE_KEY);
    this.#revoke = connection.prepare(REVOKE_KEY);
    this.#insertEvent = connection.prepare(INSERT_EVENT);
    this.#listEvents = connection.prepare(SELECT_EVENTS);
    this.#listEventsOfKey = connection.prepare(SELECT_EVENTS_OF_KEY);
    this.#recordUse = connection.prepare(RECORD_USE);
  }

  insert(key: StoredKey, actor: string): Promise<void> {
    return this.#write(() => {
      this.#insert.run(bind(toKeyValues(key)));
      this.#add(toIssue(key, actor));
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

  list(): Promise<readonly ListedKey[]> {
    return this.#connection.attempt(() => this.#list.all().map((row) => toListedKey(row as ListedKeyRow)));
  }

  listEvents(id?: string): Promise<readonly KeyEvent[]> {
    return this.#connection.attempt(() => {
      const rows = id === undefined ? this.#listEvents.all() : this.#listEventsOfKey.all({ 1: id });
      return rows.map((row) => toKeyEvent(row as EventRow));
    });
  }

  recordUses(uses: ReadonlyMap<string, Date>): Promise<void> {
    return this.#connection.transactionWhenFree(() => {
      for (const [id, at] of uses) this.#recordUse.run({ 1: id, 2: at.toISOString() });
    });
  }

  replace(id: string, { successor, expiresAt, actor }: KeyReplacement): Promise<boolean> {
    return this.#write(() => {
      const replaced = this.#replace.get({ 1: id, 2: successor.id, 3: expiresAt.toISOString() });
      if (replaced === undefined) return false;
      this.#insert.run(bind(toKeyValues(successor)));
      this.#add(toRotation(id, successor, actor));
      this.#add(toIssue(successor, actor));
      return true;
    });
  }

  revoke(id: string, { at, actor }: KeyRevocation): Promise<KeyRecord | undefined> {
    return this.#write(() => {
      const record = toRecord(this.#revoke.get({ 1: id, 2: at.toISOString() }));
      if (record !== undefined) this.#add({ keyId: id, event: "revoke", at, actor });
      return record;
    });
  }

  #add(event: KeyEvent): void {
    this.#insertEvent.run(bind(toEventValues(event)));
  }

  #write<T>(work: () => T): Promise<T> {
    return this.#connection.attempt(() => this.#connection.transaction(work));
  }
}

function toRecord(row: unknown): KeyRecord | undefined {
  return row === undefined ? undefined : toKeyRecord(row as KeyRow);
}
