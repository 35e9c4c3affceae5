import type { NewPet, Pet, PetStatus } from "../../../generated/v1/server.js";

/** The database of the service. Its methods, and those of its parts, reject with {@link StoreUnavailableError} when it cannot answer. */
export interface Store {
  readonly pets: PetStore;
  readonly keys: KeyStore;
  readonly rates: RateStore;

  /** Resolves when the database can be written: what proves it has reached the disk, and left nothing behind. */
  ping(): Promise<void>;

  /** Finishes what was begun, then lets go of the database; every later call rejects. */
  close(): Promise<void>;
}

/** Called for each commit of creations: how many they are, and the seconds that it took. */
export type OnCommit = (creations: number, seconds: number) => void;

/** Where animals are kept. */
export interface PetStore {
  /**
   * Keeps a new animal and resolves once it is durable: it survives `kill -9` and a power cut.
   * The new `id` is greater than every earlier one and a safe integer.
   */
  create(pet: NewPet): Promise<Pet>;

  /**
   * Like {@link create}, but keeps only one animal for a key. The key is durable together with the animal, and remembered
   * for as long as the store was opened for. Calls at the same time, also from several processes, wait for the first.
   * @returns undefined, without a change, when the key was used with a different animal.
   */
  createOnce(pet: NewPet, key: IdempotencyKey): Promise<CreatedOnce | undefined>;

  get(id: number): Promise<Pet | undefined>;

  /** One keyset page in ascending `id`. */
  list(query: PetQuery): Promise<PetPage>;
}

/** Names one creation of one caller; whatever other callers use is another key. */
export interface IdempotencyKey {
  /** `id` of the API key. */
  readonly caller: string;
  readonly key: string;
}

export interface CreatedOnce {
  /** As it was created. */
  readonly pet: Pet;
  /** Was it created by an earlier call? */
  readonly isReplay: boolean;
}

export interface PetQuery {
  /** Largest number of animals returned, 1 or more. */
  readonly limit: number;
  readonly status?: PetStatus | undefined;
  /** Only animals with a greater `id`; from the start when absent. */
  readonly after?: number | undefined;
}

export interface PetPage {
  readonly pets: readonly Pet[];
  /** `id` to continue after, when there is at least one more animal. */
  readonly next?: number;
}

/** Where API keys are kept: never their text, only its hash. */
export interface KeyStore {
  /** Keeps the key, and that `actor` issued it. */
  insert(key: StoredKey, actor: string): Promise<void>;

  get(id: string): Promise<KeyRecord | undefined>;

  /** May be as old as the engine documents; what was written through this store is seen at once. */
  findByHash(hash: Uint8Array): Promise<StoredKey | undefined>;

  /** All keys ever issued, oldest first. */
  list(): Promise<readonly ListedKey[]>;

  /**
   * Keeps `successor`, makes the key `id` expire, and keeps who did it: all or nothing.
   * Resolves to false, without a change, when `id` is unknown, revoked or replaced already.
   */
  replace(id: string, replacement: KeyReplacement): Promise<boolean>;

  /** Revokes the key, or leaves it revoked as it was; undefined when `id` is unknown. */
  revoke(id: string, revocation: KeyRevocation): Promise<KeyRecord | undefined>;

  /** What was ever done with keys, or with one of them, in the order in which it was done. */
  listEvents(id?: string): Promise<readonly KeyEvent[]>;

  /** Remembers when keys were last used, by `id`; an instant before one that is known changes nothing. */
  recordUses(uses: ReadonlyMap<string, Date>): Promise<void>;
}

/** Where processes share what keys have used of their rates. */
export interface RateStore {
  /**
   * Adds to what a key has used, which is regained as time passes.
   * @param usedMs Time, in milliseconds, that it takes to regain what is added.
   * @returns the time that it takes to regain all that was used, by anybody.
   */
  add(keyId: string, usedMs: number): Promise<number>;
}

export interface KeyReplacement {
  readonly successor: StoredKey;
  /** When the replaced key stops passing. */
  readonly expiresAt: Date;
  readonly actor: string;
}

export interface KeyRevocation {
  readonly at: Date;
  readonly actor: string;
}

/** One thing that was done with a key. It is kept with what it did, or not at all. */
export interface KeyEvent {
  readonly keyId: string;
  readonly event: "issue" | "rotate" | "revoke";
  readonly at: Date;
  /** Who did it: `user@host` of whoever ran the command. */
  readonly actor: string;
  /** Of a rotation, the `id` of the key that replaces this one. */
  readonly successor?: string;
}

/** What may be shown of a key. */
export interface KeyRecord {
  /** Public identifier, safe to log. */
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  /** First instant at which the key no longer passes; never when absent. */
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
  /** `id` of the key that replaced this one. */
  readonly replacedBy?: string;
}

export interface ListedKey extends KeyRecord {
  /** As old as the service takes to write it down, a minute; absent when it was never used. */
  readonly lastUsedAt?: Date;
}

export interface StoredKey extends KeyRecord {
  /** SHA-256 of the key's text. */
  readonly hash: Uint8Array;
}

/** The database is away, locked, full or otherwise cannot answer now; nothing was acknowledged. */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
}

/** The database cannot be used as it is. The message is one line that names it and says why. */
export class StoreOpenError extends Error {
  override readonly name = "StoreOpenError";
}
