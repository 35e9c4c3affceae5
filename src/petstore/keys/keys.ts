import { timingSafeEqual } from "node:crypto";
import { OperatorError } from "../errors.js";
import type { KeyEvent, KeyRecord, KeyStore, ListedKey, StoredKey } from "../store/store.js";
import { generateKey, generateKeyId, isWellFormedKey, toKeyHash } from "./key.js";

const HOUR_MS = 3_600_000;

/** The caller that a valid key identifies. */
export interface KeyPrincipal {
  /** Public identifier of the key, safe to log. */
  readonly id: string;
  readonly name: string;
}

export interface KeySummary extends ListedKey {
  readonly state: "active" | "expired" | "revoked";
}

/** A new key with its text, which is not available later. */
export interface IssuedKey extends KeyPrincipal {
  readonly key: string;
  readonly expiresAt?: Date;
}

export interface RotatedKey extends IssuedKey {
  /** First instant at which the old key is no longer valid. */
  readonly oldExpiresAt: Date;
}

export interface IssueOptions {
  /** The user of the key: 1 to 100 printable characters, not all blank. Does not have to be unique. */
  readonly name: string;
  /** First instant at which the key is no longer valid. Default: it never expires. */
  readonly expiresAt?: Date | undefined;
}

export interface RotateOptions {
  /** How long the old key stays valid, in hours. Default: 24. */
  readonly overlapHours?: number | undefined;
}

export interface KeysOptions {
  /** Name in the history for changes made here. Default: `service`. */
  readonly actor?: string;
  /** Called with the `id` of a key each time it authenticates. */
  readonly onUse?: (id: string) => void;
  /** Current time. Default: the system clock. */
  readonly now?: () => Date;
}

/** The requested change to a key is not possible. */
export class KeyError extends OperatorError {
  override readonly name = "KeyError";
}

/** Issues, authenticates and changes API keys. Keys are found by their hash; their text is never stored. */
export class Keys {
  readonly #store: KeyStore;
  readonly #actor: string;
  readonly #onUse: (id: string) => void;
  readonly #now: () => Date;

  constructor(store: KeyStore, options: KeysOptions = {}) {
    this.#store = store;
    this.#actor = options.actor ?? "service";
    this.#onUse = options.onUse ?? (() => undefined);
    this.#now = options.now ?? (() => new Date());
  }

  /**
   * Authenticates a caller by a key. A key that another process revokes is refused once the store's cache has expired.
   * @returns undefined when the key is malformed, unknown, expired or revoked.
   */
  async authenticateKey(key: string): Promise<KeyPrincipal | undefined> {
    if (!isWellFormedKey(key)) return undefined;
    const hash = toKeyHash(key);
    const stored = await this.#store.findByHash(hash);
    // The database index compares up to the first difference; the decision here takes constant time.
    if (stored === undefined || !timingSafeEqual(stored.hash, hash)) return undefined;
    if (this.#stateOf(stored) !== "active") return undefined;
    this.#onUse(stored.id);
    return { id: stored.id, name: stored.name };
  }

  /** @throws {KeyError} when the name is empty, too long or not printable. */
  async issue({ name, expiresAt }: IssueOptions): Promise<IssuedKey> {
    if (!/^(?!\s*$)[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(name)) {
      throw new KeyError("A key's name must be 1 to 100 printable characters.");
    }
    const { issued, stored } = this.#generate(name, expiresAt);
    await this.#store.insert(stored, this.#actor);
    return issued;
  }

  /**
   * Lists the events of all keys, oldest first.
   * @param id Only list the events of this key.
   * @throws {KeyError} when `id` is unknown.
   */
  async history(id?: string): Promise<readonly KeyEvent[]> {
    if (id !== undefined && (await this.#store.get(id)) === undefined) throw unknownKey(id);
    return this.#store.listEvents(id);
  }

  async list(): Promise<readonly KeySummary[]> {
    return (await this.#store.list()).map((record) => ({ ...record, state: this.#stateOf(record) }));
  }

  /**
   * Issues a successor with the same name and lifetime. The old key stays valid for the overlap, but not beyond its expiry.
   * @throws {KeyError} when `id` is unknown, not active, or already replaced.
   */
  async rotate(id: string, { overlapHours = 24 }: RotateOptions = {}): Promise<RotatedKey> {
    const old = await this.#store.get(id);
    if (old === undefined) throw unknownKey(id);
    const state = this.#stateOf(old);
    if (state !== "active") throw new KeyError(`Key ${id} is ${state}; issue a new one instead.`);

    const now = this.#now().getTime();
    const lifetime = old.expiresAt && old.expiresAt.getTime() - old.createdAt.getTime();
    const oldExpiresAt = new Date(
      Math.min(now + overlapHours * HOUR_MS, old.expiresAt?.getTime() ?? Infinity),
    );
    const { issued, stored } = this.#generate(
      old.name,
      lifetime === undefined ? undefined : new Date(now + lifetime),
    );
    // The store checks again in its transaction: another process may have rotated or revoked the key meanwhile.
    if (
      !(await this.#store.replace(id, { successor: stored, expiresAt: oldExpiresAt, actor: this.#actor }))
    ) {
      throw new KeyError(`Key ${id} was already replaced or revoked; rotate its successor instead.`);
    }
    return { ...issued, oldExpiresAt };
  }

  /**
   * Revokes a key. A revoked key stays as it was.
   * @throws {KeyError} when `id` is unknown.
   */
  async revoke(id: string): Promise<KeySummary> {
    const record = await this.#store.revoke(id, { at: this.#now(), actor: this.#actor });
    if (record === undefined) throw unknownKey(id);
    return { ...record, state: this.#stateOf(record) };
  }

  #generate(name: string, expiresAt: Date | undefined): { issued: IssuedKey; stored: StoredKey } {
    const key = generateKey();
    const shown = { id: generateKeyId(), name, ...(expiresAt && { expiresAt }) };
    return {
      issued: { ...shown, key },
      stored: { ...shown, hash: toKeyHash(key), createdAt: this.#now() },
    };
  }

  #stateOf({ revokedAt, expiresAt }: KeyRecord): KeySummary["state"] {
    if (revokedAt !== undefined) return "revoked";
    // A date that another program wrote may be invalid, and then compares with none.
    return expiresAt === undefined || expiresAt > this.#now() ? "active" : "expired";
  }
}

function unknownKey(id: string): KeyError {
  return new KeyError(`No key has the ID ${JSON.stringify(id)}.`);
}
