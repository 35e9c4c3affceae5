import type { NewPet, Pet } from "../../../generated/v1/server.js";
import {
  PET_COLUMNS,
  type PetRow,
  SELECT_PET,
  SELECT_PETS,
  SELECT_PETS_BY_STATUS,
  toPage,
  toPet,
} from "./pet-rows.js";
import type { PostgresConnection } from "./postgres-connection.js";
import { isRowError } from "./postgres-errors.js";
import { type PetPage, type PetQuery, type PetStore, StoreUnavailableError } from "./store.js";

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
  readonly resolve: (pet: Pet) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Animals in PostgreSQL. The creations of one turn of the event loop share one transaction, and so do those that arrive
 * while it is under way: another one at the same time would only wait for its ids.
 */
export class PostgresPetStore implements PetStore {
  readonly #connection: PostgresConnection;
  readonly #pending: Creation[] = [];
  #isCommitting = false;
  #idle: Promise<void> = Promise.resolve();

  constructor(connection: PostgresConnection) {
    this.#connection = connection;
  }

  create(pet: NewPet): Promise<Pet> {
    return new Promise((resolve, reject) => {
      this.#connection.assertOpen();
      if (this.#pending.length === 0 && !this.#isCommitting) {
        setImmediate(() => {
          void this.flush();
        });
      }
      this.#pending.push({ pet, resolve, reject });
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
      for (const [index, pet] of (await this.#insert(batch.map(({ pet }) => pet))).entries()) {
        batch[index]?.resolve(pet);
      }
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

  /** The lock on the row of `pet_ids` is held until the commit: ids become visible in their order. */
  #insert(pets: readonly NewPet[]): Promise<Pet[]> {
    return this.#connection.transaction(async (query) => {
      const [taken] = await query<{ last: number }>(TAKE_IDS, [pets.length]);
      if (taken === undefined) throw new TypeError("The table pet_ids has lost its row");
      const first = taken.last - pets.length + 1;
      const columns = toColumns(pets.map((pet, index) => ({ ...pet, id: first + index })));
      const rows = await query<PetRow>(INSERT_PETS, columns);
      return rows.map(toPet).sort((a, b) => a.id - b.id);
    });
  }
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
