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
