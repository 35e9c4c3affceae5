import type { KeyRecord, StoredKey } from "./store.js";

// The texts are SQLite's and PostgreSQL's alike: `$1` is a parameter in both, and instants are ISO 8601 text.

const COLUMNS = "id, name, created_at, expires_at, revoked_at, replaced_by";

/** Parameters: {@link toKeyValues}. */
export const INSERT_KEY = `insert into api_keys (${COLUMNS}, hash) values ($1, $2, $3, $4, $5, $6, $7)`;

export const SELECT_KEY = `select ${COLUMNS} from api_keys where id = $1`;

export const SELECT_KEY_BY_HASH = `select ${COLUMNS}, hash from api_keys where hash = $1`;

export const SELECT_KEYS = `select ${COLUMNS} from api_keys order by created_at, id`;

export const SELECT_HASHED_KEYS = `select ${COLUMNS}, hash from api_keys`;

/** Parameters: `id`, the successor's `id`, when the key expires. */
export const REPLACE_KEY =
  "update api_keys set replaced_by = $2, expires_at = $3 " +
  "where id = $1 and replaced_by is null and revoked_at is null returning id";

/** Parameters: `id`, the instant. */
export const REVOKE_KEY = `update api_keys set revoked_at = coalesce(revoked_at, $2) where id = $1 returning ${COLUMNS}`;

export interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly replaced_by: string | null;
}

export interface HashedKeyRow extends KeyRow {
  readonly hash: Uint8Array;
}

export function toKeyRecord(row: KeyRow): KeyRecord {
  return {
    id: row.id,
    name: row.name,
    createdAt: new Date(row.created_at),
    ...(row.expires_at !== null && { expiresAt: new Date(row.expires_at) }),
    ...(row.revoked_at !== null && { revokedAt: new Date(row.revoked_at) }),
    ...(row.replaced_by !== null && { replacedBy: row.replaced_by }),
  };
}

export function toStoredKey(row: HashedKeyRow): StoredKey {
  return { ...toKeyRecord(row), hash: row.hash };
}

/** What {@link INSERT_KEY} takes, in its order. */
export function toKeyValues(key: StoredKey): readonly (string | Uint8Array | null)[] {
  return [
    key.id,
    key.name,
    key.createdAt.toISOString(),
    key.expiresAt?.toISOString() ?? null,
    key.revokedAt?.toISOString() ?? null,
    key.replacedBy ?? null,
    key.hash,
  ];
}
