import type { NewPet, Pet } from "../../../generated/v1/server.js";
import { type Creation, type CreationOptions, toCreationOnce } from "./creation.js";
import { toReplay } from "./idempotency.js";
import {
  PET_COLUMNS,
  type PetRow,
  SELECT_PET,
  SELECT_PETS,
  SELECT_PETS_BY_STATUS,
  toPage,
  toPet,
} from "./pet-rows.js";
import type { SqliteConnection } from "./sqlite-connection.js";
import type { SqliteStatement } from "./sqlite-driver.js";
import { isBusy, isRowError, toStoreError } from "./sqlite-errors.js";
import { SqliteIdempotencyKeys } from "./sqlite-idempotency.js";
import type { CreatedOnce, IdempotencyKey, OnCommit, PetPage, PetQuery, PetStore } from "./store.js";

/** Pause between two attempts to get the write lock, in milliseconds: about as long as another process holds it. */
const RETRY_MS = 1;

/**
 * Animals in SQLite. The creations of one turn of the event loop share one commit: waiting for the disk is what a
 * creation costs, and 32 of them wait once.
 */
export class SqlitePetStore implements PetStore {
  readonly #connection: SqliteConnection;
  readonly #onCommit: OnCommit | undefined;
  readonly #insert: SqliteStatement;
  readonly #get: SqliteStatement;
  readonly #list: SqliteStatement;
  readonly #listByStatus: SqliteStatement;
  readonly #keys: SqliteIdempotencyKeys;
  #pending: Creation[] = [];

  constructor(connection: SqliteConnection, options: CreationOptions) {
    this.#connection = connection;
    this.#keys = new SqliteIdempotencyKeys(connection, options);
    this.#onCommit = options.onCommit;
    this.#insert = connection.prepare(
      `insert into pets (name, category_id, status) values ($1, $2, $3) returning ${PET_COLUMNS}`,
    );
    this.#get = connection.prepare(SELECT_PET);
    this.#list = connection.prepare(SELECT_PETS);
    this.#listByStatus = connection.prepare(SELECT_PETS_BY_STATUS);
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
    return this.#connection.attempt(() => {
      const row = this.#get.get({ 1: id });
      return row === undefined ? undefined : toPet(row as PetRow);
    });
  }

  list({ limit, status, after = 0 }: PetQuery): Promise<PetPage> {
    return this.#connection.attempt(() => {
      // One row more than asked for tells whether there is a next page.
      const rows =
        status === undefined
          ? this.#list.all({ 1: after, 2: limit + 1 })
          : this.#listByStatus.all({ 1: status, 2: after, 3: limit + 1 });
      return toPage(rows as PetRow[], limit);
    });
  }

  /** Commits the creations that wait, for as long as it takes to get the lock; for when no later turn will. */
  flush(): void {
    this.#commit((work) => this.#connection.transaction(work));
  }

  #enqueue(creation: Creation): void {
    this.#connection.assertOpen();
    if (this.#pending.length === 0) {
      setImmediate(() => {
        this.#flushWhenFree(performance.now() + this.#connection.busyTimeoutMs);
      });
    }
    this.#pending.push(creation);
  }

  /**
   * Commits the creations that wait as soon as no other process writes. The driver would stop the event loop until then:
   * tried again and again, it serves meanwhile, and what it takes in joins the commit.
   */
  #flushWhenFree(deadline: number): void {
    this.#commit(
      (work) => this.#connection.tryTransaction(work),
      (error) => {
        if (!isBusy(error) || performance.now() > deadline) return false;
        setTimeout(() => {
          this.#flushWhenFree(deadline);
        }, RETRY_MS);
        return true;
      },
    );
  }

  /** @param retry Whether to keep creations whose transaction failed, for another attempt that it has arranged. */
  #commit(transaction: <T>(work: () => T) => T, retry: (error: unknown) => boolean = () => false): void {
    const batch = this.#pending;
    if (batch.length === 0) return;
    const start = performance.now();
    try {
      const answers = transaction(() => batch.map((creation) => this.#add(creation)));
      this.#pending = [];
      this.#onCommit?.(batch.length, (performance.now() - start) / 1000);
      for (const answer of answers) answer();
    } catch (error) {
      if (retry(error)) return;
      this.#pending = [];
      for (const { reject } of batch) reject(toStoreError(error));
    }
  }

  /** Inserts one row, unless its key was used, and returns what answers its creation. A refused row does not fail the others. */
  #add({ pet, once, resolve, reject }: Creation): () => void {
    const used = once && this.#keys.find(once);
    if (used !== undefined) {
      return () => {
        once?.resolveUsed(toReplay(pet, once, used));
      };
    }
    let row: PetRow;
    try {
      row = this.#insert.get({ 1: pet.name, 2: pet.categoryId, 3: pet.status ?? null }) as PetRow;
    } catch (error) {
      if (!isRowError(error)) throw error;
      return () => {
        reject(error as Error);
      };
    }
    // What fails here fails the transaction: no animal is kept without its key.
    if (once !== undefined) this.#keys.keep(once, row.id);
    return () => {
      resolve(toPet(row));
    };
  }
}
