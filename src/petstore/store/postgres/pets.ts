import type {
  CreatedOnce,
  IdempotencyKey,
  NewPet,
  OnCommit,
  Pet,
  PetPage,
  PetQuery,
  PetStore,
} from "../pet.js";
import {
  createKeyLifetime,
  type Creation,
  type CreationOptions,
  GET_PET,
  type KeyLifetime,
  LIST_PETS,
  LIST_PETS_BY_STATUS,
  type PetRow,
  toCreationOnce,
  toPage,
  toPet,
} from "../sql/pets.js";
import { StoreUnavailableError } from "../store.js";
import type { PostgresConnection } from "./connection.js";
import { insertCreations, resolveCreation } from "./creations.js";
import { isRowError } from "./errors.js";

/** Maximum number of creations in one transaction, so that it stays short. */
const BATCH_SIZE = 1000;

/**
 * Pets in PostgreSQL. The creations of one turn of the event loop share one transaction, and so do those that arrive
 * while it runs: a concurrent transaction would only wait for its ids.
 */
export class PostgresPetStore implements PetStore {
  readonly #connection: PostgresConnection;
  readonly #lifetime: () => KeyLifetime;
  readonly #onCommit: OnCommit | undefined;
  readonly #pending: Creation[] = [];
  #isCommitting = false;
  #idle: Promise<void> = Promise.resolve();

  constructor(connection: PostgresConnection, options: CreationOptions) {
    this.#connection = connection;
    this.#lifetime = createKeyLifetime(options);
    this.#onCommit = options.onCommit;
  }

  create(pet: NewPet): Promise<Pet> {
    return new Promise((resolve, reject) => {
      this.#enqueue({ pet, resolve, reject });
    });
  }

  createOnce(pet: NewPet, key: IdempotencyKey): Promise<CreatedOnce | undefined> {
    return new Promise((resolve, reject) => {
      this.#enqueue(toCreationOnce(pet, key, { resolve, reject }));
    });
  }

  get(id: number): Promise<Pet | undefined> {
    return this.#connection.attempt(async (query) => {
      const [row] = await query<PetRow>(GET_PET, [id]);
      return row && toPet(row);
    });
  }

  list({ limit, status, after = 0 }: PetQuery): Promise<PetPage> {
    return this.#connection.attempt(async (query) => {
      // One row more than requested shows whether there is a next page.
      const rows =
        status === undefined
          ? await query<PetRow>(LIST_PETS, [after, limit + 1])
          : await query<PetRow>(LIST_PETS_BY_STATUS, [status, after, limit + 1]);
      return toPage(rows, limit);
    });
  }

  /** Resolves when no creation is pending any more. */
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

  /** Commits creations and settles each only after that. A refused row does not fail the others. */
  async #commit(batch: readonly Creation[]): Promise<void> {
    const start = performance.now();
    try {
      const outcome = await this.#connection.transaction((query) =>
        insertCreations(query, batch, this.#lifetime),
      );
      this.#onCommit?.(batch.length, (performance.now() - start) / 1000);
      for (const creation of batch) resolveCreation(creation, outcome);
    } catch (error) {
      if (batch.length > 1 && isRowError(error)) {
        for (const creation of batch) await this.#commit([creation]);
      } else {
        // Creations that wait behind an unavailable server would only wait as long again.
        const behind = error instanceof StoreUnavailableError ? this.#pending.splice(0) : [];
        for (const { reject } of [...batch, ...behind]) reject(error as Error);
      }
    }
  }
}
