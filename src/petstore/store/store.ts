import type { NewPet, Pet, PetStatus } from "../../../generated/v1/server.js";

/** Where animals are kept. Every method rejects with {@link StoreUnavailableError} when the database cannot answer. */
export interface PetStore {
  /**
   * Keeps a new animal and resolves once it is durable: it survives `kill -9` and a power cut.
   * The new `id` is greater than every earlier one and a safe integer.
   */
  create(pet: NewPet): Promise<Pet>;

  get(id: number): Promise<Pet | undefined>;

  /** One keyset page in ascending `id`. */
  list(query: PetQuery): Promise<PetPage>;
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

/** The database is away, locked, full or otherwise cannot answer now; nothing was acknowledged. */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
}
