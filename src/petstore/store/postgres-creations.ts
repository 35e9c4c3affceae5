import type { Pet } from "../../../generated/v1/server.js";
import type { Creation } from "./creation.js";
import { type Memory, toReplay, type UsedKey } from "./idempotency.js";
import { PET_COLUMNS, type PetRow, toPet } from "./pet-rows.js";
import type { Query } from "./postgres-connection.js";
import { findUsedKeys, keepKeys, toKeyName } from "./postgres-idempotency.js";

const TAKE_IDS = {
  name: "take ids",
  text: "update pet_ids set last = last + $1 where id = 1 returning last",
};
/** Parameters: {@link toColumns}. */
export const INSERT_PETS = {
  name: "insert pets",
  text:
    `insert into pets (${PET_COLUMNS}) ` +
    `select * from unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[]) returning ${PET_COLUMNS}`,
};

/** What a transaction has done for its creations. */
export interface Outcome {
  readonly pets: ReadonlyMap<Creation, Pet>;
  /** The keys of those that have no animal of their own. */
  readonly used: ReadonlyMap<string, UsedKey>;
}

/**
 * Inserts the animals whose keys were not used; for use within a transaction.
 * @param toMemory Called where there are keys.
 */
export async function insertCreations(
  query: Query,
  batch: readonly Creation[],
  toMemory: () => Memory,
): Promise<Outcome> {
  const keys = batch.flatMap(({ once }) => once ?? []);
  if (keys.length === 0) return { pets: await insertPets(query, batch), used: new Map() };

  const memory = toMemory();
  const used = await findUsedKeys(query, keys, memory);
  const names = new Set(used.keys());
  const added = batch.filter(({ once }) => {
    if (once === undefined) return true;
    const name = toKeyName(once);
    const isNew = !names.has(name);
    names.add(name);
    return isNew;
  });
  const pets = await insertPets(query, added);
  const kept = [...pets].flatMap(([{ once }, { id }]) => (once ? [{ ...once, petId: id }] : []));
  await keepKeys(query, kept, memory);
  for (const key of kept) used.set(toKeyName(key), key);
  return { pets, used };
}

/** Answers a creation with its new animal, or with that for which its key was used. */
export function answerCreation(creation: Creation, { pets, used }: Outcome): void {
  const created = pets.get(creation);
  if (created !== undefined) {
    creation.resolve(created);
    return;
  }
  const { pet, once } = creation;
  const earlier = once && used.get(toKeyName(once));
  if (earlier !== undefined) once?.resolveUsed(toReplay(pet, once, earlier));
}

/** The lock on the row of `pet_ids` is held until the commit: ids become visible in their order. */
async function insertPets(query: Query, creations: readonly Creation[]): Promise<ReadonlyMap<Creation, Pet>> {
  if (creations.length === 0) return new Map();
  const [taken] = await query<{ last: number }>(TAKE_IDS, [creations.length]);
  if (taken === undefined) throw new TypeError("The table pet_ids has lost its row");
  const first = taken.last - creations.length + 1;
  const columns = toColumns(creations.map(({ pet }, index) => ({ ...pet, id: first + index })));
  const created = new Map<Creation, Pet>();
  for (const row of await query<PetRow>(INSERT_PETS, columns)) {
    const creation = creations[row.id - first];
    if (creation !== undefined) created.set(creation, toPet(row));
  }
  return created;
}

/** What {@link INSERT_PETS} takes: one list for each column. */
export function toColumns(pets: readonly Pet[]): readonly (readonly unknown[])[] {
  return [
    pets.map(({ id }) => id),
    pets.map(({ name }) => name),
    pets.map(({ categoryId }) => categoryId),
    pets.map(({ status }) => status ?? null),
  ];
}
