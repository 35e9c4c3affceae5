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
  type CreationKey,
  type CreationOptions,
  DELETE_EXPIRED_KEYS,
  EXPIRED_KEYS_PER_KEY,
  GET_PET,
  type KeyLifetime,
  LIST_PETS,
  LIST_PETS_BY_STATUS,
  PET_COLUMNS,
  type PetRow,
  toCreationOnce,
  toPage,
  toPet,
  toReplay,
  USED_KEY_COLUMNS,
  type UsedKey,
} from "../sql/pets.js";
import type { SqliteConnection } from "./connection.js";
import { isBusy, isRowError, type SqliteStatement, toStoreError } from "./driver.js";

/** Pause between two attempts to get the write lock, in milliseconds: about as long as another process holds it. */
const RETRY_MS = 1;

/**
 * Pets in SQLite. The creations of one turn of the event loop share one commit: the wait for the disk is what a creation
 * costs, and 32 of them then wait once.
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
    this.#get = connection.prepare(GET_PET.text);
    this.#list = connection.prepare(LIST_PETS.text);
    this.#listByStatus = connection.prepare(LIST_PETS_BY_STATUS.text);
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
      // One row more than requested shows whether there is a next page.
      const rows =
        status === undefined
          ? this.#list.all({ 1: after, 2: limit + 1 })
          : this.#listByStatus.all({ 1: status, 2: after, 3: limit + 1 });
      return toPage(rows as PetRow[], limit);
    });
  }

  /** Commits pending creations now, waiting for the lock; for closing, when no later turn will. */
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
   * Commits pending creations as soon as no other process writes. It retries rather than let the driver wait, which would
   * block the event loop: meanwhile the service keeps serving, and creations that arrive join the commit.
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

  /** @param retry Returns true to keep the creations of a failed transaction for an attempt that it has scheduled. */
  #commit(transaction: <T>(work: () => T) => T, retry: (error: unknown) => boolean = () => false): void {
    const batch = this.#pending;
    if (batch.length === 0) return;
    const start = performance.now();
    try {
      const settlements = transaction(() => batch.map((creation) => this.#insertPet(creation)));
      this.#pending = [];
      this.#onCommit?.(batch.length, (performance.now() - start) / 1000);
      for (const settle of settlements) settle();
    } catch (error) {
      if (retry(error)) return;
      this.#pending = [];
      for (const { reject } of batch) reject(toStoreError(error));
    }
  }

  /**
   * Inserts one row, unless its key was used before. A refused row does not fail the others of its transaction.
   * @returns a function that settles the creation, to call after the commit.
   */
  #insertPet({ pet, once, resolve, reject }: Creation): () => void {
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
    // A failure here fails the transaction: no pet is stored without its key.
    if (once !== undefined) this.#keys.insert(once, row.id);
    return () => {
      resolve(toPet(row));
    };
  }
}

/** Idempotency keys, for use within a transaction: its lock keeps other processes from using a key meanwhile. */
class SqliteIdempotencyKeys {
  readonly #find: SqliteStatement;
  readonly #insert: SqliteStatement;
  readonly #deleteExpired: SqliteStatement;
  readonly #lifetime: () => KeyLifetime;

  constructor(connection: SqliteConnection, options: CreationOptions) {
    this.#find = connection.prepare(
      'select fingerprint, pet_id as "petId" from idempotency_keys ' +
        "where caller = $1 and key = $2 and used_at > $3",
    );
    this.#insert = connection.prepare(
      // `replace`, because an expired key may not be deleted yet.
      `insert or replace into idempotency_keys (${USED_KEY_COLUMNS}) values ($1, $2, $3, $4, $5)`,
    );
    this.#deleteExpired = connection.prepare(DELETE_EXPIRED_KEYS.text);
    this.#lifetime = createKeyLifetime(options);
  }

  /** @returns undefined for a key that was not used or has expired. */
  find({ caller, key }: CreationKey): UsedKey | undefined {
    return this.#find.get({ 1: caller, 2: key, 3: this.#lifetime().expiredAt }) as UsedKey | undefined;
  }

  insert({ caller, key, fingerprint }: CreationKey, petId: number): void {
    const { now, expiredAt } = this.#lifetime();
    this.#insert.run({ 1: caller, 2: key, 3: fingerprint, 4: petId, 5: now });
    this.#deleteExpired.run({ 1: expiredAt, 2: EXPIRED_KEYS_PER_KEY });
  }
}
