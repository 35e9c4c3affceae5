import { hash } from "node:crypto";
import {
  type CreatedOnce,
  type IdempotencyKey,
  type NewPet,
  type OnCommit,
  type Pet,
  type PetPage,
  type PetQuery,
  type PetStore,
  StoreUnavailableError,
} from "../store.js";
import { PET_COLUMNS, type PetRow, readPage, readPet, toPet } from "./read-pets.js";
import { type Insertable, run, type SqlDatabase, type Statement, type Work } from "./work.js";

/** Maximum number of creations in one transaction, so that it stays short. */
const BATCH_SIZE = 1000;

/**
 * Maximum number of expired keys deleted per new one. Two is more than are added, so the table shrinks; it is also so few
 * that a transaction's cost stays in proportion to its creations, and nothing runs while nothing is created.
 */
const EXPIRED_KEYS_PER_KEY = 2;

export const USED_KEY_COLUMNS = "caller, key, fingerprint, pet_id, used_at";

export const PETS: Insertable = { name: "pets", columns: PET_COLUMNS.split(", ") };
export const IDEMPOTENCY_KEYS: Insertable = {
  name: "idempotency_keys",
  columns: USED_KEY_COLUMNS.split(", "),
};

/** Deletes the oldest expired keys. Parameters: {@link KeyLifetime.expiredAt}, the number of rows. */
const DELETE_EXPIRED_KEYS: Statement = {
  name: "delete expired idempotency keys",
  text:
    "delete from idempotency_keys where (caller, key) in " +
    "(select caller, key from idempotency_keys where used_at <= $1 order by used_at limit $2)",
};

/** An idempotency key with the pet that it was used for. */
export interface UsedKey extends IdempotencyKey {
  readonly fingerprint: Uint8Array;
  readonly petId: number;
}

/** Instants as ISO 8601 text. */
export interface KeyLifetime {
  /** Keys used at this instant or earlier are expired. */
  readonly expiredAt: string;
  readonly now: string;
}

/** The statements that create pets, which differ between the engines. */
export interface CreationStatements {
  /** Inserts pets; their rows are in the same order. */
  insertPets(pets: readonly NewPet[]): Work<readonly PetRow[]>;
  /** Finds those of the keys that were used and have not expired. */
  findKeys(keys: readonly IdempotencyKey[], lifetime: KeyLifetime): Work<readonly UsedKey[]>;
  /** Stores keys that are new or have expired. */
  insertKeys(keys: readonly UsedKey[], lifetime: KeyLifetime): Work<void>;
}

/** Options of a store that concern new pets. */
export interface CreationOptions {
  readonly onCommit?: OnCommit | undefined;
  /** How long an idempotency key is remembered after its first use, in milliseconds. Default: 24 hours. */
  readonly idempotencyKeyMs?: number;
  /** Current time in milliseconds. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** A new pet that waits for its transaction. */
interface Creation {
  readonly pet: NewPet;
  /** The idempotency key with the fingerprint of the pet. */
  readonly key: Omit<UsedKey, "petId"> | undefined;
  readonly resolve: (created: CreatedOnce | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Pets in either engine. The creations of one turn of the event loop share one transaction, and so do those that arrive while
 * an earlier one runs: the wait for the disk is what a creation costs, and 32 of them then wait once.
 */
export class SqlPetStore implements PetStore {
  readonly #database: SqlDatabase;
  readonly #statements: CreationStatements;
  readonly #onCommit: OnCommit | undefined;
  readonly #idempotencyKeyMs: number;
  readonly #now: () => number;
  readonly #pending: Creation[] = [];
  #isCommitting = false;
  #idle: Promise<void> = Promise.resolve();

  constructor(database: SqlDatabase, statements: CreationStatements, options: CreationOptions) {
    this.#database = database;
    this.#statements = statements;
    this.#onCommit = options.onCommit;
    this.#idempotencyKeyMs = options.idempotencyKeyMs ?? 24 * 3_600_000;
    this.#now = options.now ?? Date.now;
  }

  async create(pet: NewPet): Promise<Pet> {
    const created = await this.#enqueue(pet);
    if (created === undefined) throw new TypeError("Only a creation with a key can be a different one");
    return created.pet;
  }

  createOnce(pet: NewPet, { caller, key }: IdempotencyKey): Promise<CreatedOnce | undefined> {
    return this.#enqueue(pet, { caller, key, fingerprint: toFingerprint(pet) });
  }

  get(id: number): Promise<Pet | undefined> {
    return readPet(this.#database, id);
  }

  list(query: PetQuery): Promise<PetPage> {
    return readPage(this.#database, query);
  }

  /** Resolves when no creation is pending any more. */
  flush(): Promise<void> {
    if (!this.#isCommitting) this.#idle = this.#commitAll();
    return this.#idle;
  }

  #enqueue(pet: NewPet, key?: Creation["key"]): Promise<CreatedOnce | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#pending.push({ pet, key, resolve, reject }) === 1) setImmediate(() => void this.flush());
    });
  }

  async #commitAll(): Promise<void> {
    this.#isCommitting = true;
    while (this.#pending.length > 0) await this.#commit();
    this.#isCommitting = false;
  }

  /**
   * Commits creations and settles each only after that. A refused row does not fail the others.
   * @param batch Default: the pending ones at the start of the transaction, so those that arrive while it waits for another
   * process join it.
   */
  async #commit(batch?: readonly Creation[]): Promise<void> {
    const take = (): readonly Creation[] => (batch ??= this.#pending.splice(0, BATCH_SIZE));
    let start: number | undefined;
    try {
      const created = await this.#database.write(() => {
        start ??= performance.now();
        return this.#insert(take());
      });
      this.#onCommit?.(created.length, (performance.now() - (start ?? 0)) / 1000);
      for (const [index, { resolve }] of take().entries()) resolve(created[index]);
    } catch (error) {
      const failed = take();
      const isUnavailable = error instanceof StoreUnavailableError;
      if (!isUnavailable && failed.length > 1 && this.#database.isRowError(error)) {
        for (const creation of failed) await this.#commit([creation]);
        return;
      }
      // Creations that wait behind an unavailable database would only wait as long again.
      const behind = isUnavailable ? this.#pending.splice(0) : [];
      for (const { reject } of [...failed, ...behind]) reject(error);
    }
  }

  /** Inserts the pets whose keys were not used before, within a transaction. Resolves creations in the same order. */
  *#insert(batch: readonly Creation[]): Work<readonly (CreatedOnce | undefined)[]> {
    const keys = batch.flatMap(({ key }) => key ?? []);
    if (keys.length === 0) {
      const rows = yield* this.#statements.insertPets(batch.map(({ pet }) => pet));
      return rows.map((row) => ({ pet: toPet(row), isReplay: false }));
    }
    const lifetime = this.#toLifetime();
    const used = new Map<string, UsedKey>();
    for (const key of yield* this.#statements.findKeys(keys, lifetime)) used.set(toKeyName(key), key);
    const names = new Set(used.keys());
    const added = batch.filter(({ key }) => {
      if (key === undefined) return true;
      const name = toKeyName(key);
      return !names.has(name) && names.add(name);
    });
    const rows = yield* this.#statements.insertPets(added.map(({ pet }) => pet));
    const created = new Map(added.map((creation, index) => [creation, rows[index]]));
    const newKeys = [...created].flatMap(([{ key }, row]) => (key && row ? { ...key, petId: row.id } : []));
    if (newKeys.length > 0) {
      yield* this.#statements.insertKeys(newKeys, lifetime);
      yield* run(DELETE_EXPIRED_KEYS, [lifetime.expiredAt, newKeys.length * EXPIRED_KEYS_PER_KEY]);
    }
    for (const key of newKeys) used.set(toKeyName(key), key);
    return batch.map((creation) => {
      const row = created.get(creation);
      if (row !== undefined) return { pet: toPet(row), isReplay: false };
      return creation.key && toReplay(creation.pet, creation.key, used.get(toKeyName(creation.key)));
    });
  }

  #toLifetime(): KeyLifetime {
    const now = this.#now();
    const expiredAt = new Date(now - this.#idempotencyKeyMs).toISOString();
    return { expiredAt, now: new Date(now).toISOString() };
  }
}

/** One text per caller and key. */
function toKeyName({ caller, key }: IdempotencyKey): string {
  return JSON.stringify([caller, key]);
}

/** SHA-256 of all that is stored of a pet: two bodies that differ only in their spelling have the same fingerprint. */
function toFingerprint({ name, categoryId, status }: NewPet): Uint8Array {
  return hash("sha256", JSON.stringify([name, categoryId, status]), "buffer");
}

/**
 * The result of a repeated creation. It is rebuilt from the request, because a pet with the same fingerprint equals the
 * first one except for its id; so the first result stands whatever happened to the stored pet.
 * @returns undefined when the pet is a different one.
 */
function toReplay(
  pet: NewPet,
  { fingerprint }: Pick<UsedKey, "fingerprint">,
  used: UsedKey | undefined,
): CreatedOnce | undefined {
  if (used === undefined || Buffer.compare(fingerprint, used.fingerprint) !== 0) return undefined;
  // `+ 0` turns -0, which JSON has and no store keeps, into 0.
  return { pet: { id: used.petId, ...pet, categoryId: pet.categoryId + 0 }, isReplay: true };
}
