import { hash } from "node:crypto";
import type { CreatedOnce, IdempotencyKey, NewPet, OnCommit, Pet, PetPage, PetStatus } from "../pet.js";
import type { Statement } from "./work.js";

// Both engines run these statements: in both, `$1` is a parameter.

export const PET_COLUMNS = "id, name, category_id, status";

export const GET_PET: Statement = {
  name: "get pet",
  text: `select ${PET_COLUMNS} from pets where id = $1`,
};

/** Parameters: the `id` to continue after, the number of rows. */
export const LIST_PETS: Statement = {
  name: "list pets",
  text: `select ${PET_COLUMNS} from pets where id > $1 order by id limit $2`,
};

/** Parameters: status, the `id` to continue after, the number of rows. */
export const LIST_PETS_BY_STATUS: Statement = {
  name: "list pets by status",
  text: `select ${PET_COLUMNS} from pets where status = $1 and id > $2 order by id limit $3`,
};

export interface PetRow {
  readonly id: number;
  readonly name: string;
  readonly category_id: number;
  readonly status: PetStatus | null;
}

export function toPet({ id, name, category_id: categoryId, status }: PetRow): Pet {
  return status === null ? { id, name, categoryId } : { id, name, categoryId, status };
}

/** @param rows One more than `limit` when there is a next page. */
export function toPage(rows: readonly PetRow[], limit: number): PetPage {
  const pets = rows.slice(0, limit).map(toPet);
  const last = pets.at(-1);
  return rows.length > limit && last !== undefined ? { pets, next: last.id } : { pets };
}

/** Options of a store that concern new pets. */
export interface CreationOptions {
  readonly onCommit?: OnCommit | undefined;
  /** How long an idempotency key is remembered after its first use, in milliseconds. Default: 24 hours. */
  readonly idempotencyKeyMs?: number;
  /** Current time in milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
}

/** A new pet that waits for its transaction. */
export interface Creation {
  readonly pet: NewPet;
  /** Only with an idempotency key. */
  readonly once?: CreationKey;
  /** Called with the pet that was inserted. */
  readonly resolve: (pet: Pet) => void;
  readonly reject: (error: Error) => void;
}

/** The idempotency key of a creation. */
export interface CreationKey extends IdempotencyKey {
  readonly fingerprint: Uint8Array;
  /** Called instead of the creation's `resolve` when the key was used before. */
  readonly resolveUsed: (replay: CreatedOnce | undefined) => void;
}

interface CreationOnceCallbacks {
  readonly resolve: (created: CreatedOnce | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** Makes a creation that resolves to the earlier pet when its key was used before. */
export function toCreationOnce(
  pet: NewPet,
  { caller, key }: IdempotencyKey,
  { resolve, reject }: CreationOnceCallbacks,
): Creation {
  return {
    pet,
    once: { caller, key, fingerprint: toFingerprint(pet), resolveUsed: resolve },
    resolve: (created) => {
      resolve({ pet: created, isReplay: false });
    },
    reject,
  };
}

/** A remembered idempotency key. */
export interface UsedKey {
  readonly fingerprint: Uint8Array;
  readonly petId: number;
}

export const USED_KEY_COLUMNS = "caller, key, fingerprint, pet_id, used_at";

/** Deletes the oldest expired keys. Parameters: {@link KeyLifetime.expiredAt}, the number of rows. */
export const DELETE_EXPIRED_KEYS: Statement = {
  name: "delete expired idempotency keys",
  text:
    "delete from idempotency_keys where (caller, key) in " +
    "(select caller, key from idempotency_keys where used_at <= $1 order by used_at limit $2)",
};

/**
 * Maximum number of expired keys deleted per new one. Two is more than are added, so the table shrinks; it is also so few
 * that a transaction's cost stays in proportion to its creations, and nothing runs while nothing is created.
 */
export const EXPIRED_KEYS_PER_KEY = 2;

/** Instants as ISO 8601 text. */
export interface KeyLifetime {
  /** Keys used at this instant or earlier are expired. */
  readonly expiredAt: string;
  readonly now: string;
}

/** @returns a function that computes the lifetime for a transaction that begins now. */
export function createKeyLifetime({
  idempotencyKeyMs = 24 * 3_600_000,
  now = Date.now,
}: CreationOptions): () => KeyLifetime {
  return () => {
    const at = now();
    return { expiredAt: new Date(at - idempotencyKeyMs).toISOString(), now: new Date(at).toISOString() };
  };
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
export function toReplay(
  { name, categoryId, status }: NewPet,
  { fingerprint }: Pick<CreationKey, "fingerprint">,
  used: UsedKey,
): CreatedOnce | undefined {
  if (Buffer.compare(fingerprint, used.fingerprint) !== 0) return undefined;
  // `+ 0` turns -0, which JSON has and no store keeps, into 0.
  const pet = { id: used.petId, name, categoryId: categoryId + 0 };
  return { pet: status === undefined ? pet : { ...pet, status }, isReplay: true };
}
