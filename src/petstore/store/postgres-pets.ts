import type { NewPet, Pet } from "../../../generated/v1/server.js";
import {
  createMemory,
  type IdempotencyOptions,
  type Once,
  toFingerprint,
  toReplay,
  type UsedKey,
} from "./idempotency.js";
import {
  PET_COLUMNS,
  type PetRow,
  SELECT_PET,
  SELECT_PETS,
  SELECT_PETS_BY_STATUS,
  toPage,
  toPet,
} from "./pet-rows.js";
import type { PostgresConnection, Query } from "./postgres-connection.js";
import { isRowError } from "./postgres-errors.js";
import { findUsedKeys, keepKeys, toKeyName } from "./postgres-idempotency.js";
import {
  type CreatedOnce,
  type IdempotencyKey,
  type PetPage,
  type PetQuery,
  type PetStore,
  StoreUnavailableError,
} from "./store.js";

const GET = { name: "get pet", text: SELECT_PET };
const LIST = { name: "list pets", text: SELECT_PETS };
const LIST_BY_STATUS = { name: "list pets by status", text: SELECT_PETS_BY_STATUS };
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

/** Most creations of one transaction, so that it stays short. */
const BATCH_SIZE = 1000;

interface Creation {
  readonly pet: NewPet;
  readonly once?: Once;
  readonly resolve: (pet: Pet) => void;
  readonly reject: (error: Error) => void;
}

/** What a transaction has done for its creations. */
interface Outcome {
  readonly pets: ReadonlyMap<Creation, Pet>;
  /** The keys of those that have no animal of their own. */
  readonly used: ReadonlyMap<string, UsedKey>;
}

/**
 * Animals in PostgreSQL. The creations of one turn of the event loop share one transaction, and so do those that arrive
 * while it is under way: another one at the same time would only wait for its ids.
 */
export class PostgresPetStore implements PetStore {
  readonly #connection: PostgresConnection;
  readonly #memory: ReturnType<typeof createMemory>;
  readonly #pending: Creation[] = [];
  #isCommitting = false;
  #idle: Promise<void> = Promise.resolve();

  constructor(connection: PostgresConnection, options: IdempotencyOptions) {
    this.#connection = connection;
    this.#memory = createMemory(options);
  }

  create(pet: NewPet): Promise<Pet> {
    return new Promise((resolve, reject) => {
      this.#enqueue({ pet, resolve, reject });
    });
  }

  createOnce(pet: NewPet, { caller, key }: IdempotencyKey): Promise<CreatedOnce | undefined> {
    return new Promise((resolve, reject) => {
      this.#enqueue({
        pet,
        once: { caller, key, fingerprint: toFingerprint(pet), resolveUsed: resolve },
        resolve: (created) => {
          resolve({ pet: created, isReplay: false });
        },
        reject,
      });
    });
  }

  get(id: number): Promise<Pet | undefined> {
    return this.#connection.attempt(async (query) => {
      const [row] = await query<PetRow>(GET, [id]);
      return row && toPet(row);
    });
  }

  list({ limit, status, after = 0 }: PetQuery): Promise<PetPage> {
    return this.#connection.attempt(async (query) => {
      // One row more than asked for tells whether there is a next page.
      const rows =
        status === undefined
          ? await query<PetRow>(LIST, [after, limit + 1])
          : await query<PetRow>(LIST_BY_STATUS, [status, after, limit + 1]);
      return toPage(rows, limit);
    });
  }

  /** Resolves when no creation waits any more. */
  flush(): Promise<void> {
    if (!this.#isCommitting) this.#idle = this.#commitAll();
    return this.#idle;
  }

  #enqueue(creation: Creation): void {
    this.#connection.assertOpen();
    if (this.#pending.length === 0 && !this.#isCommitting) {
      setImmediate(() => {
        void this.flush();
      });
    }
    this.#pending.push(creation);
  }

  async #commitAll(): Promise<void> {
    this.#isCommitting = true;
    while (this.#pending.length > 0) {
      await this.#commit(this.#pending.splice(0, BATCH_SIZE));
    }
    this.#isCommitting = false;
  }

  /** Commits creations and answers each only after that. A refused row does not fail the others. */
  async #commit(batch: readonly Creation[]): Promise<void> {
    try {
      const outcome = await this.#connection.transaction((query) => this.#insert(query, batch));
      for (const creation of batch) answer(creation, outcome);
    } catch (error) {
      if (batch.length > 1 && isRowError(error)) {
        for (const creation of batch) await this.#commit([creation]);
      } else {
        // Who waits behind a server that cannot answer would only wait as long again.
        const behind = error instanceof StoreUnavailableError ? this.#pending.splice(0) : [];
        for (const { reject } of [...batch, ...behind]) reject(error as Error);
      }
    }
  }

  /** Inserts the animals whose keys were not used. */
  async #insert(query: Query, batch: readonly Creation[]): Promise<Outcome> {
    const keys = batch.flatMap(({ once }) => once ?? []);
    if (keys.length === 0) return { pets: await insertPets(query, batch), used: new Map() };

    const memory = this.#memory();
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

/** Answers a creation with its new animal, or with that for which its key was used. */
function answer(creation: Creation, { pets, used }: Outcome): void {
  const created = pets.get(creation);
  if (created !== undefined) {
    creation.resolve(created);
    return;
  }
  const { pet, once } = creation;
  const earlier = once && used.get(toKeyName(once));
  if (earlier !== undefined) once?.resolveUsed(toReplay(pet, once, earlier));
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
