import {
  createMemory,
  FORGET_KEYS,
  FORGOTTEN_PER_KEY,
  type IdempotencyOptions,
  type Once,
  USED_KEY_COLUMNS,
  type UsedKey,
} from "./idempotency.js";
import type { SqliteConnection } from "./sqlite-connection.js";
import type { SqliteStatement } from "./sqlite-driver.js";

/** Idempotency keys in SQLite; for use within a transaction, whose lock keeps other processes from using a key meanwhile. */
export class SqliteIdempotencyKeys {
  readonly #find: SqliteStatement;
  readonly #keep: SqliteStatement;
  readonly #forget: SqliteStatement;
  readonly #memory: ReturnType<typeof createMemory>;

  constructor(connection: SqliteConnection, options: IdempotencyOptions) {
    this.#find = connection.prepare(
      'select fingerprint, pet_id as "petId" from idempotency_keys ' +
        "where caller = $1 and key = $2 and used_at > $3",
    );
    this.#keep = connection.prepare(
      // What is forgotten may not be deleted yet.
      `insert or replace into idempotency_keys (${USED_KEY_COLUMNS}) ` + "values ($1, $2, $3, $4, $5)",
    );
    this.#forget = connection.prepare(FORGET_KEYS);
    this.#memory = createMemory(options);
  }

  /** @returns undefined for a key that was not used, or was forgotten. */
  find({ caller, key }: Once): UsedKey | undefined {
    return this.#find.get({ 1: caller, 2: key, 3: this.#memory().after }) as UsedKey | undefined;
  }

  /** Keeps a key that {@link find} has not found. */
  keep({ caller, key, fingerprint }: Once, petId: number): void {
    const { now, after } = this.#memory();
    this.#keep.run({ 1: caller, 2: key, 3: fingerprint, 4: petId, 5: now });
    this.#forget.run({ 1: after, 2: FORGOTTEN_PER_KEY });
  }
}
