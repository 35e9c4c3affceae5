import {
  FORGET_KEYS,
  FORGOTTEN_PER_KEY,
  type Memory,
  USED_KEY_COLUMNS,
  type UsedKey,
} from "./idempotency.js";
import type { Query } from "./postgres-connection.js";
import { UsedMeanwhileError } from "./postgres-errors.js";
import type { IdempotencyKey } from "./store.js";

const FIND = {
  name: "find idempotency keys",
  text:
    'select caller, key, fingerprint, pet_id as "petId" from idempotency_keys ' +
    "where (caller, key) in (select * from unnest($1::text[], $2::text[])) and used_at > $3",
};
const KEEP = {
  name: "keep idempotency keys",
  text:
    `insert into idempotency_keys (${USED_KEY_COLUMNS}) ` +
    "select caller, key, fingerprint, pet_id, $5 " +
    "from unnest($1::text[], $2::text[], $3::bytea[], $4::bigint[]) as new (caller, key, fingerprint, pet_id) " +
    // What is forgotten may not be deleted yet.
    "on conflict (caller, key) do update " +
    "set fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, used_at = excluded.used_at " +
    "where idempotency_keys.used_at <= $6 returning pet_id",
};
const FORGET = { name: "forget idempotency keys", text: FORGET_KEYS };

/** One text for each key of each caller. */
export function toKeyName({ caller, key }: IdempotencyKey): string {
  return JSON.stringify([caller, key]);
}

/** Which of the keys are remembered, by {@link toKeyName}. */
export async function findUsedKeys(
  query: Query,
  keys: readonly IdempotencyKey[],
  memory: Memory,
): Promise<Map<string, UsedKey>> {
  const rows = await query<IdempotencyKey & UsedKey>(FIND, [...toNames(keys), memory.after]);
  return new Map(rows.map((row) => [toKeyName(row), row]));
}

/**
 * Keeps keys that {@link findUsedKeys} has not found, each once.
 * @throws {UsedMeanwhileError} when another process has kept one since then.
 */
export async function keepKeys(
  query: Query,
  keys: readonly (IdempotencyKey & UsedKey)[],
  { now, after }: Memory,
): Promise<void> {
  if (keys.length === 0) return;
  const fingerprints = keys.map(({ fingerprint }) => fingerprint);
  const petIds = keys.map(({ petId }) => petId);
  const kept = await query(KEEP, [...toNames(keys), fingerprints, petIds, now, after]);
  if (kept.length < keys.length) throw new UsedMeanwhileError("Another process has used an idempotency key");
  await query(FORGET, [after, keys.length * FORGOTTEN_PER_KEY]);
}

function toNames(keys: readonly IdempotencyKey[]): readonly [string[], string[]] {
  return [keys.map(({ caller }) => caller), keys.map(({ key }) => key)];
}
