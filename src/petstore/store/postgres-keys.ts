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
import type { PostgresConnection } from "./postgres-connection.js";
import type { KeyRecord, KeyStore, StoredKey } from "./store.js";

const INSERT = { name: "insert key", text: INSERT_KEY };
const GET = { name: "get key", text: SELECT_KEY };
const FIND_BY_HASH = { name: "find key by hash", text: SELECT_KEY_BY_HASH };
const LIST = { name: "list keys", text: SELECT_KEYS };
const REPLACE = { name: "replace key", text: REPLACE_KEY };
const REVOKE = { name: "revoke key", text: REVOKE_KEY };

/** API keys in PostgreSQL. */
export class PostgresKeyStore implements KeyStore {
  readonly #connection: PostgresConnection;

  constructor(connection: PostgresConnection) {
    this.#connection = connection;
  }

  insert(key: StoredKey): Promise<void> {
    return this.#connection.attempt(async (query) => {
      await query(INSERT, toKeyValues(key));
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

  list(): Promise<readonly KeyRecord[]> {
    return this.#connection.attempt(async (query) => (await query<KeyRow>(LIST)).map(toKeyRecord));
  }

  replace(id: string, successor: StoredKey, expiresAt: Date): Promise<boolean> {
    return this.#connection.transaction(async (query) => {
      const [replaced] = await query(REPLACE, [id, successor.id, expiresAt.toISOString()]);
      if (replaced === undefined) return false;
      await query(INSERT, toKeyValues(successor));
      return true;
    });
  }

  revoke(id: string, at: Date): Promise<KeyRecord | undefined> {
    return this.#connection.attempt(async (query) => {
      const [row] = await query<KeyRow>(REVOKE, [id, at.toISOString()]);
      return row && toKeyRecord(row);
    });
  }
}
