import type { SqliteConnection } from "./sqlite-connection.js";
import type { SqliteStatement } from "./sqlite-driver.js";
import type { KeyRecord, KeyStore, StoredKey } from "./store.js";

const COLUMNS = "id, name, created_at, expires_at, revoked_at, replaced_by";

/** Instants are ISO 8601 text. */
interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly replaced_by: string | null;
}

interface HashedKeyRow extends KeyRow {
  readonly hash: Uint8Array;
}

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
    this.#insert = connection.prepare(
      `insert into api_keys (${COLUMNS}, hash) values ($1, $2, $3, $4, $5, $6, $7)`,
    );
    this.#get = connection.prepare(`select ${COLUMNS} from api_keys where id = $1`);
    this.#findByHash = connection.prepare(`select ${COLUMNS}, hash from api_keys where hash = $1`);
    this.#list = connection.prepare(`select ${COLUMNS} from api_keys order by created_at, id`);
    this.#replace = connection.prepare(
      "update api_keys set replaced_by = $2, expires_at = $3 " +
        "where id = $1 and replaced_by is null and revoked_at is null returning id",
    );
    this.#revoke = connection.prepare(
      `update api_keys set revoked_at = coalesce(revoked_at, $2) where id = $1 returning ${COLUMNS}`,
    );
  }

  insert(key: StoredKey): Promise<void> {
    return this.#write(() => {
      this.#add(key);
    });
  }

  get(id: string): Promise<KeyRecord | undefined> {
    return this.#connection.attempt(() => toRecord(this.#get.get({ 1: id })));
  }

  findByHash(hash: Uint8Array): Promise<StoredKey | undefined> {
    return this.#connection.attempt(() => {
      const row = this.#findByHash.get({ 1: hash }) as HashedKeyRow | undefined;
      return row && { ...fromRow(row), hash: row.hash };
    });
  }

  list(): Promise<readonly KeyRecord[]> {
    return this.#connection.attempt(() => this.#list.all().map((row) => fromRow(row as KeyRow)));
  }

  replace(id: string, successor: StoredKey, expiresAt: Date): Promise<boolean> {
    return this.#write(() => {
      const replaced = this.#replace.get({ 1: id, 2: successor.id, 3: expiresAt.toISOString() });
      if (replaced === undefined) return false;
      this.#add(successor);
      return true;
    });
  }

  revoke(id: string, at: Date): Promise<KeyRecord | undefined> {
    return this.#write(() => toRecord(this.#revoke.get({ 1: id, 2: at.toISOString() })));
  }

  #write<T>(work: () => T): Promise<T> {
    return this.#connection.attempt(() => this.#connection.transaction(work));
  }

  #add({ id, name, hash, createdAt, expiresAt, revokedAt, replacedBy }: StoredKey): void {
    this.#insert.run({
      1: id,
      2: name,
      3: createdAt.toISOString(),
      4: expiresAt?.toISOString() ?? null,
      5: revokedAt?.toISOString() ?? null,
      6: replacedBy ?? null,
      7: hash,
    });
  }
}

function toRecord(row: unknown): KeyRecord | undefined {
  return row === undefined ? undefined : fromRow(row as KeyRow);
}

function fromRow(row: KeyRow): KeyRecord {
  return {
    id: row.id,
    name: row.name,
    createdAt: new Date(row.created_at),
    ...(row.expires_at !== null && { expiresAt: new Date(row.expires_at) }),
    ...(row.revoked_at !== null && { revokedAt: new Date(row.revoked_at) }),
    ...(row.replaced_by !== null && { replacedBy: row.replaced_by }),
  };
}
