import type { IdempotencyKey, Pet } from "../pet.js";
import {
  type Creation,
  DELETE_EXPIRED_KEYS,
  EXPIRED_KEYS_PER_KEY,
  type KeyLifetime,
  PET_COLUMNS,
  type PetRow,
  toPet,
  toReplay,
  USED_KEY_COLUMNS,
  type UsedKey,
} from "../sql/pets.js";
import type { Statement } from "../sql/work.js";
import type { Query } from "./connection.js";
import { UsedConcurrentlyError } from "./errors.js";

const TAKE_IDS: Statement = {
  name: "take ids",
  text: "update pet_ids set last = last + $1 where id = 1 returning last",
};
/** Parameters: one list per column. */
const INSERT_PETS: Statement = {
  name: "insert pets",
  text:
    `insert into pets (${PET_COLUMNS}) ` +
    `select * from unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[]) returning ${PET_COLUMNS}`,
};
/** Parameters: callers, keys, {@link KeyLifetime.expiredAt}. */
const FIND_KEYS: Statement = {
  name: "find idempotency keys",
  text:
    'select caller, key, fingerprint, pet_id as "petId" from idempotency_keys ' +
    "where (caller, key) in (select * from unnest($1::text[], $2::text[])) and used_at > $3",
};
/** Parameters: callers, keys, fingerprints, pets, current time, {@link KeyLifetime.expiredAt}. */
const INSERT_KEYS: Statement = {
  name: "insert idempotency keys",
  text:
    `insert into idempotency_keys (${USED_KEY_COLUMNS}) ` +
    "select caller, key, fingerprint, pet_id, $5 " +
    "from unnest($1::text[], $2::text[], $3::bytea[], $4::bigint[]) as new (caller, key, fingerprint, pet_id) " +
    // An expired key may not be deleted yet.
    "on conflict (caller, key) do update " +
    "set fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, used_at = excluded.used_at " +
    "where idempotency_keys.used_at <= $6 returning pet_id",
};

/** The result of a transaction for its creations. */
export interface Outcome {
  /** Inserted pets. */
  readonly pets: ReadonlyMap<Creation, Pet>;
  /** Used keys by {@link toKeyName}. */
  readonly used: ReadonlyMap<string, UsedKey>;
}

/**
 * Inserts the pets whose keys were not used before; for use within a transaction.
 * @param toLifetime Called only when a creation has a key.
 */
export async function insertCreations(
  query: Query,
  batch: readonly Creation[],
  toLifetime: () => KeyLifetime,
): Promise<Outcome> {
  const keys = batch.flatMap(({ once }) => once ?? []);
  if (keys.length === 0) return { pets: await insertPets(query, batch), used: new Map() };

  const lifetime = toLifetime();
  const used = await findUsedKeys(query, keys, lifetime);
  const names = new Set(used.keys());
  const added = batch.filter(({ once }) => {
    if (once === undefined) return true;
    const name = toKeyName(once);
    const isNew = !names.has(name);
    names.add(name);
    return isNew;
  });
  const pets = await insertPets(query, added);
  const newKeys = [...pets].flatMap(([{ once }, { id }]) => (once ? [{ ...once, petId: id }] : []));
  await insertKeys(query, newKeys, lifetime);
  for (const key of newKeys) used.set(toKeyName(key), key);
  return { pets, used };
}

/** Resolves a creation to its new pet, or to the pet that its key was used for. */
export function resolveCreation(creation: Creation, { pets, used }: Outcome): void {
  const created = pets.get(creation);
  if (created !== undefined) {
    creation.resolve(created);
    return;
  }
  const { pet, once } = creation;
  const earlier = once && used.get(toKeyName(once));
  if (earlier !== undefined) once?.resolveUsed(toReplay(pet, once, earlier));
}

/** The lock on the row of `pet_ids` is held until the commit, so that ids become visible in ascending order. */
async function insertPets(query: Query, creations: readonly Creation[]): Promise<ReadonlyMap<Creation, Pet>> {
  if (creations.length === 0) return new Map();
  const [taken] = await query<{ last: number }>(TAKE_IDS, [creations.length]);
  if (taken === undefined) throw new TypeError("The table pet_ids has lost its row");
  const first = taken.last - creations.length + 1;
  const rows = await query<PetRow>(INSERT_PETS, [
    creations.map((_, index) => first + index),
    creations.map(({ pet }) => pet.name),
    creations.map(({ pet }) => pet.categoryId),
    creations.map(({ pet }) => pet.status ?? null),
  ]);
  const created = new Map<Creation, Pet>();
  for (const row of rows) {
    const creation = creations[row.id - first];
    if (creation !== undefined) created.set(creation, toPet(row));
  }
  return created;
}

async function findUsedKeys(
  query: Query,
  keys: readonly IdempotencyKey[],
  { expiredAt }: KeyLifetime,
): Promise<Map<string, UsedKey>> {
  const rows = await query<IdempotencyKey & UsedKey>(FIND_KEYS, [...toColumns(keys), expiredAt]);
  return new Map(rows.map((row) => [toKeyName(row), row]));
}

/** @throws {UsedConcurrentlyError} when another process has stored one of the keys meanwhile. */
async function insertKeys(
  query: Query,
  keys: readonly (IdempotencyKey & UsedKey)[],
  { now, expiredAt }: KeyLifetime,
): Promise<void> {
  if (keys.length === 0) return;
  const fingerprints = keys.map(({ fingerprint }) => fingerprint);
  const petIds = keys.map(({ petId }) => petId);
  const inserted = await query(INSERT_KEYS, [...toColumns(keys), fingerprints, petIds, now, expiredAt]);
  if (inserted.length < keys.length)
    throw new UsedConcurrentlyError("Another process has used an idempotency key");
  await query(DELETE_EXPIRED_KEYS, [expiredAt, keys.length * EXPIRED_KEYS_PER_KEY]);
}

function toColumns(keys: readonly IdempotencyKey[]): readonly [string[], string[]] {
  return [keys.map(({ caller }) => caller), keys.map(({ key }) => key)];
}

/** One text per caller and key. */
function toKeyName({ caller, key }: IdempotencyKey): string {
  return JSON.stringify([caller, key]);
}
