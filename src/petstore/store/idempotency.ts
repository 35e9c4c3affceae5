import { hash } from "node:crypto";
import type { NewPet } from "../../../generated/v1/server.js";
import type { CreatedOnce, IdempotencyKey } from "./store.js";

/** How long a store remembers idempotency keys, and by which clock. */
export interface IdempotencyOptions {
  /** Milliseconds since a key's first use; default 24 hours. */
  readonly idempotencyKeyMs?: number;
  /** Current time, in milliseconds; default `Date.now`. */
  readonly now?: () => number;
}

/** The span of time of the keys that are remembered, in ISO 8601 text. */
export interface Memory {
  /** What was used at this instant or before is forgotten. */
  readonly after: string;
  readonly now: string;
}

/** @returns what a transaction that begins now remembers. */
export function createMemory({
  idempotencyKeyMs = 24 * 3_600_000,
  now = Date.now,
}: IdempotencyOptions): () => Memory {
  return () => {
    const at = now();
    return { after: new Date(at - idempotencyKeyMs).toISOString(), now: new Date(at).toISOString() };
  };
}

/** A creation with a key, on its way to the database. */
export interface Once extends IdempotencyKey {
  readonly fingerprint: Uint8Array;
  /** Answers it when the key was used before. */
  readonly resolveUsed: (replay: CreatedOnce | undefined) => void;
}

/** What is kept of a creation with a key. */
export interface UsedKey {
  readonly fingerprint: Uint8Array;
  readonly petId: number;
}

/** A row of the table. */
export interface UsedKeyRow extends IdempotencyKey, UsedKey {
  /** ISO 8601 text. */
  readonly usedAt: string;
}

export const USED_KEY_COLUMNS = "caller, key, fingerprint, pet_id, used_at";

/** A page in the engine's own order. Parameters: the key to continue after, the number of rows. */
export const SELECT_USED_KEYS =
  'select caller, key, fingerprint, pet_id as "petId", used_at as "usedAt" from idempotency_keys ' +
  "where (caller, key) > ($1, $2) order by caller, key limit $3";

/** SHA-256 of all that is kept of an animal: the same for two bodies that differ in nothing else. */
export function toFingerprint({ name, categoryId, status }: NewPet): Uint8Array {
  return hash("sha256", JSON.stringify([name, categoryId, status]), "buffer");
}

/**
 * What a repeated creation is answered. An animal with the fingerprint of the first one is the first one but for its id,
 * so that the first answer stands whatever became of the animal since.
 * @returns undefined for a different animal.
 */
export function toReplay(
  { name, categoryId, status }: NewPet,
  { fingerprint }: Pick<Once, "fingerprint">,
  used: UsedKey,
): CreatedOnce | undefined {
  if (Buffer.compare(fingerprint, used.fingerprint) !== 0) return undefined;
  // JSON has a -0, and no store keeps it.
  const pet = { id: used.petId, name, categoryId: categoryId + 0 };
  return { pet: status === undefined ? pet : { ...pet, status }, isReplay: true };
}

/** The oldest first. Parameters: {@link Memory.after}, the number of rows. */
export const FORGET_KEYS =
  "delete from idempotency_keys where (caller, key) in " +
  "(select caller, key from idempotency_keys where used_at <= $1 order by used_at limit $2)";

/**
 * Most forgotten keys that are deleted for each new one. Twice as many go as come until none is left, each transaction does
 * no more work than its creations are worth, and nothing runs when nobody creates.
 */
export const FORGOTTEN_PER_KEY = 2;
