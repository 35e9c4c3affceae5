import { OperatorError } from "../errors.js";

/** The service's database. All of its methods reject with {@link StoreUnavailableError} while the database cannot be used. */
export interface Store {
  readonly pets: PetStore;
  readonly keys: KeyStore;
  readonly rates: RateStore;

  /** Resolves when the database is writable: a test write has reached the disk and left nothing behind. */
  ping(): Promise<void>;

  /** Finishes pending writes and closes the database; every later call rejects. */
  close(): Promise<void>;
}

/** Availability status of a pet. */
export type PetStatus = "available" | "pending" | "sold";

/** A pet to create. The names are the contract's, so that handlers pass pets on as they are. */
export interface NewPet {
  readonly name: string;
  readonly categoryId: number;
  /** Stays absent when it is omitted. */
  readonly status?: PetStatus;
}

/** A stored pet. */
export interface Pet extends NewPet {
  readonly id: number;
}

/** Stores pets. */
export interface PetStore {
  /**
   * Creates a pet and resolves once it is durable: it survives `kill -9` and a power cut.
   * The new `id` is a safe integer and greater than every earlier one.
   */
  create(pet: NewPet): Promise<Pet>;

  /**
   * Like {@link create}, but at most one pet is created per key. Key and pet become durable together, and the key is
   * remembered for as long as the store was configured to. Concurrent calls, also from other processes, wait for the first.
   * @returns undefined, without a change, when the key was used for a different pet.
   */
  createOnce(pet: NewPet, key: IdempotencyKey): Promise<CreatedOnce | undefined>;

  get(id: number): Promise<Pet | undefined>;

  /** Returns one keyset page in ascending `id`. */
  list(query: PetQuery): Promise<PetPage>;
}

/** An idempotency key. The same key of two callers is two keys. */
export interface IdempotencyKey {
  /** `id` of the caller's API key. */
  readonly caller: string;
  readonly key: string;
}

export interface CreatedOnce {
  /** As it was created. */
  readonly pet: Pet;
  /** True when an earlier call created it. */
  readonly isReplay: boolean;
}

export interface PetQuery {
  /** Maximum number of pets returned, 1 or more. */
  readonly limit: number;
  readonly status?: PetStatus | undefined;
  /** Only pets with a greater `id`. Default: from the start. */
  readonly after?: number | undefined;
}

export interface PetPage {
  readonly pets: readonly Pet[];
  /** `id` to continue after; absent on the last page. */
  readonly next?: number;
}

/** Called after each commit of new pets with their number and the seconds that the commit took. */
export type OnCommit = (creations: number, seconds: number) => void;

/** Stores API keys: never their text, only its hash. */
export interface KeyStore {
  /** Adds a key and the event that `actor` issued it. */
  insert(key: StoredKey, actor: string): Promise<void>;

  get(id: string): Promise<KeyRecord | undefined>;

  /** May be cached for as long as the engine documents; changes made through this store are visible at once. */
  findByHash(hash: Uint8Array): Promise<StoredKey | undefined>;

  /** Lists all keys ever issued, oldest first. */
  list(): Promise<readonly ListedKey[]>;

  /**
   * Adds `successor`, sets the expiry of the key `id`, and records the event, in one transaction.
   * Resolves to false, without a change, when `id` is unknown, revoked or already replaced.
   */
  replace(id: string, replacement: KeyReplacement): Promise<boolean>;

  /** Revokes a key; a revoked key stays as it was. Resolves to undefined when `id` is unknown. */
  revoke(id: string, revocation: KeyRevocation): Promise<KeyRecord | undefined>;

  /** Lists the events of all keys, or of one, in the order in which they happened. */
  listEvents(id?: string): Promise<readonly KeyEvent[]>;

  /** Records when keys were last used, by `id`; a time before the recorded one changes nothing. */
  recordUses(uses: ReadonlyMap<string, Date>): Promise<void>;
}

/** Shares rate limits between processes. */
export interface RateStore {
  /**
   * Adds to what a key has used of its rate; it regains this as time passes.
   * @param usedMs Milliseconds until the added use is regained.
   * @returns Milliseconds until all use of the key, by every process, is regained.
   */
  add(keyId: string, usedMs: number): Promise<number>;
}

export interface KeyReplacement {
  readonly successor: StoredKey;
  /** First instant at which the replaced key is no longer valid. */
  readonly expiresAt: Date;
  readonly actor: string;
}

export interface KeyRevocation {
  readonly at: Date;
  readonly actor: string;
}

/** An event in the life of a key; committed together with the change itself. */
export interface KeyEvent {
  readonly keyId: string;
  readonly event: "issue" | "rotate" | "revoke";
  readonly at: Date;
  /** The user: `user@host` of the process. */
  readonly actor: string;
  /** Only for rotations: `id` of the key that replaces this one. */
  readonly successor?: string;
}

/** The public part of a key. */
export interface KeyRecord {
  /** Public identifier, safe to log. */
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  /** First instant at which the key is no longer valid. Absent: it never expires. */
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
  /** `id` of the key that replaced this one. */
  readonly replacedBy?: string;
}

export interface ListedKey extends KeyRecord {
  /** Up to a minute old, because uses are written once a minute; absent when the key was never used. */
  readonly lastUsedAt?: Date;
}

export interface StoredKey extends KeyRecord {
  /** SHA-256 of the key's text. */
  readonly hash: Uint8Array;
}

/** The database is unreachable, locked, full or otherwise unusable for now; nothing was acknowledged. */
export class StoreUnavailableError extends OperatorError {
  override readonly name = "StoreUnavailableError";
}

/** The database cannot be opened as it is. The message names it and gives the reason. */
export class StoreOpenError extends OperatorError {
  override readonly name = "StoreOpenError";
}
