import { type CreationStatements, USED_KEY_COLUMNS, type UsedKey } from "../sql/pets.js";
import { PET_COLUMNS, type PetRow } from "../sql/read-pets.js";
import { run, type Statement } from "../sql/work.js";

const INSERT_PET: Statement = {
  name: "insert pet",
  text: `insert into pets (name, category_id, status) values ($1, $2, $3) returning ${PET_COLUMNS}`,
};
/** Parameters: caller, key, the instant at which used keys are expired. */
const FIND_KEY: Statement = {
  name: "find idempotency key",
  text:
    'select caller, key, fingerprint, pet_id as "petId" from idempotency_keys ' +
    "where caller = $1 and key = $2 and used_at > $3",
};
const INSERT_KEY: Statement = {
  name: "insert idempotency key",
  // `replace`, because an expired key may not be deleted yet.
  text: `insert or replace into idempotency_keys (${USED_KEY_COLUMNS}) values ($1, $2, $3, $4, $5)`,
};

/** Creates one pet after the other. The lock of the transaction keeps other processes from using a key meanwhile. */
export const SQLITE_CREATIONS: CreationStatements = {
  *insertPets(pets) {
    const rows: PetRow[] = [];
    for (const { name, categoryId, status } of pets)
      rows.push(...(yield* run<PetRow>(INSERT_PET, [name, categoryId, status ?? null])));
    return rows;
  },

  *findKeys(keys, { expiredAt }) {
    const used: UsedKey[] = [];
    for (const { caller, key } of keys)
      used.push(...(yield* run<UsedKey>(FIND_KEY, [caller, key, expiredAt])));
    return used;
  },

  *insertKeys(keys, { now }) {
    for (const { caller, key, fingerprint, petId } of keys)
      yield* run(INSERT_KEY, [caller, key, fingerprint, petId, now]);
  },
};
