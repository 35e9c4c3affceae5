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
import type { PostgresConnection } from "./postgres-connection.js";
import type {
  KeyEvent,
  KeyRecord,
  KeyReplacement,
  KeyRevocation,
  KeyStore,
  ListedKey,
  StoredKey,
} from "./store.js";

const INSERT = { name: "insert key", text: INSERT_KEY };
const GET = { name: "get key", text: SELECT_KEY };
const FIND_BY_HASH = { name: "find key by hash", text: SELECT_KEY_BY_HASH };
const LIST = { name: "list keys", text: SELECT_KEYS };
const REPLACE = { name: "replace key", text: REPLACE_KEY };
const REVOKE = { name: "revoke key", text: REVOKE_KEY };
const INSERT_ONE_EVENT = { name: "insert key event", text: INSERT_EVENT };
const LIST_EVENTS = { name: "list key events", text: SELECT_EVENTS };
const LIST_EVENTS_OF_KEY = { name: "list events of key", text: SELECT_EVENTS_OF_KEY };

/** Parameters: ids and instants, as many of each. */
export const RECORD_USES = {
  name: "record key uses",
  text:
    "insert into key_uses (key_id, last_used_at) " +
    `select id, at from unnest($1::text[], $2::text[]) as used (id, at) ${KEEP_LATER_USE}`,
};

/** API keys in PostgreSQL. */
export class PostgresKeyStore implements KeyStore {
  readonly #connection: PostgresConnection;

  constructor(connection: PostgresConnection) {
    this.#connection = connection;
  }

  insert(key: StoredKey, actor: string): Promise<void> {
    return this.#connection.transaction(async (query) => {
      await query(INSERT, toKeyValues(key));
      await query(INSERT_ONE_EVENT, toEventValues(toIssue(key, actor)));
    });
  }

  get(id: string): Promise<KeyRecord | undefined> {
    return this.#connection.attempt(async (query) => {
      const [row] = await query<KeyRow>(GET, [id]);
      return row && toKeyRecord(row);
    });
  }

  findByHash(hash: Uint8Array): Promise<StoredKey | undefined> {
    return this.#connection.attempt(async (query) => {
      const [row] = await query<HashedKeyRow>(FIND_BY_HASH, [hash]);
      return row && toStoredKey(row);
    });
  }

  list(): Promise<readonly ListedKey[]> {
    return this.#connection.attempt(async (query) => (await query<ListedKeyRow>(LIST)).map(toListedKey));
  }

  listEvents(id?: string): Promise<readonly KeyEvent[]> {
    return this.#connection.attempt(async (query) => {
      const rows = await (id === undefined
        ? query<EventRow>(LIST_EVENTS)
        : query<EventRow>(LIST_EVENTS_OF_KEY, [id]));
      return rows.map(toKeyEvent);
    });
  }

  recordUses(uses: ReadonlyMap<string, Date>): Promise<void> {
    // In one order everywhere, so that processes that write at once wait for each other and do not block each other.
    const sorted = [...uses].sort(([a], [b]) => (a < b ? -1 : 1));
    return this.#connection.attempt(async (query) => {
      await query(RECORD_USES, [sorted.map(([id]) => id), sorted.map(([, at]) => at.toISOString())]);
    });
  }

  replace(id: string, { successor, expiresAt, actor }: KeyReplacement): Promise<boolean> {
    return this.#connection.transaction(async (query) => {
      const [replaced] = await query(REPLACE, [id, successor.id, expiresAt.toISOString()]);
      if (replaced === undefined) return false;
      await query(INSERT, toKeyValues(successor));
      await query(INSERT_ONE_EVENT, toEventValues(toRotation(id, successor, actor)));
      await query(INSERT_ONE_EVENT, toEventValues(toIssue(successor, actor)));
      return true;
    });
  }

  revoke(id: string, { at, actor }: KeyRevocation): Promise<KeyRecord | undefined> {
    return this.#connection.transaction(async (query) => {
      const [row] = await query<KeyRow>(REVOKE, [id, at.toISOString()]);
      if (row === undefined) return undefined;
      await query(INSERT_ONE_EVENT, toEventValues({ keyId: id, event: "revoke", at, actor }));
      return toKeyRecord(row);
    });
  }
}
