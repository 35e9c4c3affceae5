import type { NewPet, Pet } from "../../../generated/v1/server.js";
import { type IdempotencyOptions, type Once, toFingerprint } from "./idempotency.js";
import type { CreatedOnce, IdempotencyKey, OnCommit } from "./store.js";

export interface CreationOptions extends IdempotencyOptions {
  readonly onCommit?: OnCommit | undefined;
}

/** A new animal that waits for its transaction, and how its caller is answered afterwards. */
export interface Creation {
  readonly pet: NewPet;
  /** Only with an idempotency key. */
  readonly once?: Once;
  /** Called with the animal that was inserted for it. */
  readonly resolve: (pet: Pet) => void;
  readonly reject: (error: Error) => void;
}

interface Answers {
  readonly resolve: (created: CreatedOnce | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** A creation that is answered with the earlier one of the same key, if there is one. */
export function toCreationOnce(
  pet: NewPet,
  { caller, key }: IdempotencyKey,
  { resolve, reject }: Answers,
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
