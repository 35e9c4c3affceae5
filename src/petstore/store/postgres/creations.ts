import { type CreationStatements, USED_KEY_COLUMNS, type UsedKey } from "../sql/pets.js";
import { PET_COLUMNS, type PetRow } from "../sql/read-pets.js";
import { run, type Statement, type Work } from "../sql/work.js";
import type { IdempotencyKey } from "../store.js";
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
/** Parameters: callers, keys, the instant at which used keys are expired. */
const FIND_KEYS: Statement = {
  name: "find idempotency keys",
  text:
    'select caller, key, fingerprint, pet_id as "petId" from idempotency_keys ' +
    "where (caller, key) in (select * from unnest($1::text[], $2::text[])) and used_at > $3",
};
/** Parameters: callers, keys, fingerprints, pets, current time, the instant at which used keys are expired. */
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

/** Creates all pets of a transaction with a few statements, because each takes a round trip. */
export const POSTGRES_CREATIONS: CreationStatements = {
  /** The lock on the row of `pet_ids` is held until the commit, so that ids become visible in ascending order. */
  *insertPets(pets) {
    if (pets.length === 0) return [];
    const first = (yield* takeIds(pets.length)) - pets.length + 1;
    const rows = yield* run<PetRow>(INSERT_PETS, [
      pets.map((_, index) => first + index),
      pets.map(({ name }) => name),
      pets.map(({ categoryId }) => categoryId),
      pets.map(({ status }) => status ?? null),
    ]);
    return rows.toSorted((a, b) => a.id - b.id);
  },

  findKeys: (keys, { expiredAt }) => run<UsedKey>(FIND_KEYS, [...toColumns(keys), expiredAt]),

  /** @throws {UsedConcurrentlyError} when another process has stored one of the keys meanwhile. */
  *insertKeys(keys, { now, expiredAt }) {
    const fingerprints = keys.map(({ fingerprint }) => fingerprint);
    const petIds = keys.map(({ petId }) => petId);
    const inserted = yield* run(INSERT_KEYS, [...toColumns(keys), fingerprints, petIds, now, expiredAt]);
    if (inserted.length < keys.length)
      throw new UsedConcurrentlyError("Another process has used an idempotency key");
  },
};

/** Takes ids, and keeps others waiting for theirs until the commit. Returns the last one. */
export function* takeIds(count: number): Work<number> {
  const [taken] = yield* run<{ last: number }>(TAKE_IDS, [count]);
  if (taken === undefined) throw new TypeError("The table pet_ids has lost its row");
  return taken.last;
}

function toColumns(keys: readonly IdempotencyKey[]): readonly [string[], string[]] {
  return [keys.map(({ caller }) => caller), keys.map(({ key }) => key)];
}
