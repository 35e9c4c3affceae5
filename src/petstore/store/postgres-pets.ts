import type { NewPet, Pet } from "../../../generated/v1/server.js";
import { type Creation, type CreationOptions, toCreationOnce } from "./creation.js";
import { createMemory, type Memory } from "./idempotency.js";
import { type PetRow, SELECT_PET, SELECT_PETS, SELECT_PETS_BY_STATUS, toPage, toPet } from "./pet-rows.js";
import type { PostgresConnection } from "./postgres-connection.js";
import { answerCreation, insertCreations } from "./postgres-creations.js";
import { isRowError } from "./postgres-errors.js";
import {
  type CreatedOnce,
  type IdempotencyKey,
  type OnCommit,
  type PetPage,
  type PetQuery,
  type PetStore,
  StoreUnavailableError,
} from "./store.js";

const GET = { name: "get pet", text: SELECT_PET };
const LIST = { name: "list pets", text: SELECT_PETS };
const LIST_BY_STATUS = { name: "list pets by status", text: SELECT_PETS_BY_STATUS };
/** Most creations of one transaction, so that it stays short. */
const BATCH_SIZE = 1000;

/**
 * Animals in PostgreSQL. The creations of one turn of the event loop share one transaction, and so do those that arrive
 * while it is under way: another one at the same time would only wait for its ids.
 */
export class PostgresPetStore implements PetStore {
  readonly #connection: PostgresConnection;
  readonly #memory: () => Memory;
  readonly #onCommit: OnCommit | undefined;
  readonly #pending: Creation[] = [];
  #isCommitting = false;
  #idle: Promise<void> = Promise.resolve();

  constructor(connection: PostgresConnection, options: CreationOptions) {
    this.#connection = connection;
    this.#memory = createMemory(options);
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
    const start = performance.now();
    try {
      const outcome = await this.#connection.transaction((query) =>
        insertCreations(query, batch, this.#memory),
      );
      this.#onCommit?.(batch.length, (performance.now() - start) / 1000);
      for (const creation of batch) answerCreation(creation, outcome);
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
}
