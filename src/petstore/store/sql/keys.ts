import type { KeyEvent, KeyRecord, KeyStore, StoredKey } from "../store.js";
import { type Insertable, insertRows, run, type SqlDatabase, type Statement, type Work } from "./work.js";

// Instants are ISO 8601 text on both engines.

const KEY_COLUMNS = "id, name, created_at, expires_at, revoked_at, replaced_by";
const EVENT_COLUMNS = "key_id, event, happened_at, actor, successor";

/** Orders by event too: a revocation may follow a rotation within the same millisecond. */
const EVENT_ORDER =
  "order by happened_at, case event when 'issue' then 0 when 'rotate' then 1 else 2 end, key_id";

export const KEYS: Insertable = { name: "api_keys", columns: [...KEY_COLUMNS.split(", "), "hash"] };
/** An event that is recorded already stays as it is. */
export const KEY_EVENTS: Insertable = {
  name: "key_events",
  columns: EVENT_COLUMNS.split(", "),
  onConflict: "on conflict (key_id, event) do nothing",
};
/** Keeps the later of two uses. */
export const KEY_USES: Insertable = {
  name: "key_uses",
  columns: ["key_id", "last_used_at"],
  onConflict:
    "on conflict (key_id) do update set last_used_at = excluded.last_used_at " +
    "where key_uses.last_used_at < excluded.last_used_at",
};

const GET_KEY: Statement = {
  name: "get key",
  text: `select ${KEY_COLUMNS} from api_keys where id = $1`,
  isSingle: true,
};
const SELECT_BY_HASH = `select ${KEY_COLUMNS}, hash from api_keys where hash`;
const FIND_KEY: Statement = { name: "find key by hash", text: `${SELECT_BY_HASH} = $1`, isSingle: true };
/** On PostgreSQL only. */
const FIND_KEYS: Statement = { name: "find keys by hash", text: `${SELECT_BY_HASH} = any($1::bytea[])` };
const LIST_KEYS: Statement = {
  name: "list keys",
  text:
    `select ${KEY_COLUMNS}, last_used_at from api_keys left join key_uses on key_id = id ` +
    "order by created_at, id",
};
/** Parameters: `id`, the successor's `id`, the expiry. */
const REPLACE_KEY: Statement = {
  name: "replace key",
  text:
    "update api_keys set replaced_by = $2, expires_at = $3 " +
    "where id = $1 and replaced_by is null and revoked_at is null returning id",
};
/** Parameters: `id`, the instant. */
const REVOKE_KEY: Statement = {
  name: "revoke key",
  text: `update api_keys set revoked_at = coalesce(revoked_at, $2) where id = $1 returning ${KEY_COLUMNS}`,
};
const LIST_EVENTS: Statement = {
  name: "list key events",
  text: `select ${EVENT_COLUMNS} from key_events ${EVENT_ORDER}`,
};
const LIST_EVENTS_OF_KEY: Statement = {
  name: "list events of key",
  text: `select ${EVENT_COLUMNS} from key_events where key_id = $1 ${EVENT_ORDER}`,
};

interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly replaced_by: string | null;
}

interface StoredKeyRow extends KeyRow {
  readonly hash: Uint8Array;
}

interface EventRow {
  readonly key_id: string;
  readonly event: KeyEvent["event"];
  readonly happened_at: string;
  readonly actor: string;
  readonly successor: string | null;
}

/** Creates the store of API keys, in either engine. */
export function createKeyStore(database: SqlDatabase): KeyStore {
  const insertKey = ({ id, name, hash, ...key }: StoredKey): Work<void> => {
    const instants = [key.createdAt, key.expiresAt, key.revokedAt].map((at) => at?.toISOString() ?? null);
    return insertRows(database, KEYS, [[id, name, ...instants, key.replacedBy ?? null, hash]]);
  };
  const insertEvent = ({ keyId, event, at, actor, successor }: KeyEvent): Work<void> =>
    insertRows(database, KEY_EVENTS, [[keyId, event, at.toISOString(), actor, successor ?? null]]);

  return {
    insert: (key, actor) =>
      database.write(function* () {
        yield* insertKey(key);
        yield* insertEvent({ keyId: key.id, event: "issue", at: key.createdAt, actor });
      }),

    async get(id) {
      const [row] = await database.read<KeyRow>(GET_KEY, [id]);
      return row && toKeyRecord(row);
    },

    async findByHash(hash) {
      const [row] = await database.read<StoredKeyRow>(FIND_KEY, [hash]);
      return row && toStoredKey(row);
    },

    async list() {
      const rows = await database.read<KeyRow & { readonly last_used_at: string | null }>(LIST_KEYS);
      return rows.map((row) => ({
        ...toKeyRecord(row),
        ...(row.last_used_at !== null && { lastUsedAt: new Date(row.last_used_at) }),
      }));
    },

    async listEvents(id) {
      const rows = await (id === undefined
        ? database.read<EventRow>(LIST_EVENTS)
        : database.read<EventRow>(LIST_EVENTS_OF_KEY, [id]));
      return rows.map(toKeyEvent);
    },

    replace: (id, { successor, expiresAt, actor }) =>
      database.write(function* () {
        const [replaced] = yield* run(REPLACE_KEY, [id, successor.id, expiresAt.toISOString()]);
        if (replaced === undefined) return false;
        yield* insertKey(successor);
        const at = successor.createdAt;
        yield* insertEvent({ keyId: id, event: "rotate", at, actor, successor: successor.id });
        yield* insertEvent({ keyId: successor.id, event: "issue", at, actor });
        return true;
      }),

    revoke: (id, { at, actor }) =>
      database.write(function* () {
        const [row] = yield* run<KeyRow>(REVOKE_KEY, [id, at.toISOString()]);
        if (row === undefined) return undefined;
        yield* insertEvent({ keyId: id, event: "revoke", at, actor });
        return toKeyRecord(row);
      }),

    recordUses(uses) {
      // Sorted, so that processes that write at once lock rows in the same order and do not deadlock.
      const rows = [...uses].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, at]) => [id, at.toISOString()]);
      return database.write(() => insertRows(database, KEY_USES, rows));
    },
  };
}

/** Finds several keys with one query, in any order. On PostgreSQL only. */
export async function findKeysByHash(
  database: SqlDatabase,
  hashes: readonly Uint8Array[],
): Promise<readonly StoredKey[]> {
  return (await database.read<StoredKeyRow>(FIND_KEYS, [hashes])).map(toStoredKey);
}

function toStoredKey(row: StoredKeyRow): StoredKey {
  return { ...toKeyRecord(row), hash: row.hash };
}

function toKeyRecord(row: KeyRow): KeyRecord {
  return {
    id: row.id,
    name: row.name,
    createdAt: new Date(row.created_at),
    ...(row.expires_at !== null && { expiresAt: new Date(row.expires_at) }),
    ...(row.revoked_at !== null && { revokedAt: new Date(row.revoked_at) }),
    ...(row.replaced_by !== null && { replacedBy: row.replaced_by }),
  };
}

function toKeyEvent(row: EventRow): KeyEvent {
  return {
    keyId: row.key_id,
    event: row.event,
    at: new Date(row.happened_at),
    actor: row.actor,
    ...(row.successor !== null && { successor: row.successor }),
  };
}
