import type { KeyEvent, KeyRecord, ListedKey, StoredKey } from "./store.js";

// The texts are SQLite's and PostgreSQL's alike: `$1` is a parameter in both, and instants are ISO 8601 text.

const COLUMNS = "id, name, created_at, expires_at, revoked_at, replaced_by";

/** Parameters: {@link toKeyValues}. */
export const INSERT_KEY = `insert into api_keys (${COLUMNS}, hash) values ($1, $2, $3, $4, $5, $6, $7)`;

export const SELECT_KEY = `select ${COLUMNS} from api_keys where id = $1`;

export const SELECT_KEY_BY_HASH = `select ${COLUMNS}, hash from api_keys where hash = $1`;

export const SELECT_KEYS =
  `select ${COLUMNS}, last_used_at from api_keys left join key_uses on key_id = id ` +
  "order by created_at, id";

export const SELECT_HASHED_KEYS = `select ${COLUMNS}, hash from api_keys`;

/** Parameters: `id`, the successor's `id`, when the key expires. */
export const REPLACE_KEY =
  "update api_keys set replaced_by = $2, expires_at = $3 " +
  "where id = $1 and replaced_by is null and revoked_at is null returning id";

/** Parameters: `id`, the instant. */
export const REVOKE_KEY = `update api_keys set revoked_at = coalesce(revoked_at, $2) where id = $1 returning ${COLUMNS}`;

const EVENT_COLUMNS = "key_id, event, happened_at, actor, successor";

/** Parameters: {@link toEventValues}. What is known of an event stays as it is. */
export const INSERT_EVENT =
  `insert into key_events (${EVENT_COLUMNS}) values ($1, $2, $3, $4, $5) ` +
  "on conflict (key_id, event) do nothing";

/** A revocation may follow a rotation within its millisecond. */
const EVENT_ORDER =
  "order by happened_at, case event when 'issue' then 0 when 'rotate' then 1 else 2 end, key_id";

export const SELECT_EVENTS = `select ${EVENT_COLUMNS} from key_events ${EVENT_ORDER}`;

export const SELECT_EVENTS_OF_KEY = `select ${EVENT_COLUMNS} from key_events where key_id = $1 ${EVENT_ORDER}`;

/** What follows an `insert` of uses: only a later one counts. */
export const KEEP_LATER_USE =
  "on conflict (key_id) do update set last_used_at = excluded.last_used_at " +
  "where key_uses.last_used_at < excluded.last_used_at";

export const SELECT_USES = "select key_id, last_used_at from key_uses order by key_id";

export interface UseRow {
  readonly key_id: string;
  readonly last_used_at: string;
}

export interface EventRow {
  readonly key_id: string;
  readonly event: KeyEvent["event"];
  readonly happened_at: string;
  readonly actor: string;
  readonly successor: string | null;
}

export interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly replaced_by: string | null;
}

export interface ListedKeyRow extends KeyRow {
  readonly last_used_at: string | null;
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

export function toListedKey(row: ListedKeyRow): ListedKey {
  return {
    ...toKeyRecord(row),
    ...(row.last_used_at !== null && { lastUsedAt: new Date(row.last_used_at) }),
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

export function toKeyEvent(row: EventRow): KeyEvent {
  return {
    keyId: row.key_id,
    event: row.event,
    at: new Date(row.happened_at),
    actor: row.actor,
    ...(row.successor !== null && { successor: row.successor }),
  };
}

/** What {@link INSERT_EVENT} takes, in its order. */
export function toEventValues(event: KeyEvent): readonly (string | null)[] {
  return [event.keyId, event.event, event.at.toISOString(), event.actor, event.successor ?? null];
}

export function toIssue({ id, createdAt }: StoredKey, actor: string): KeyEvent {
  return { keyId: id, event: "issue", at: createdAt, actor };
}

export function toRotation(id: string, successor: StoredKey, actor: string): KeyEvent {
  return { keyId: id, event: "rotate", at: successor.createdAt, actor, successor: successor.id };
}

export function toUse({ key_id: id, last_used_at: at }: UseRow): [id: string, at: Date] {
  return [id, new Date(at)];
}
