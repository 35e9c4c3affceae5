import { timingSafeEqual } from "node:crypto";
import type { KeyEvent, KeyRecord, KeyStore, ListedKey, StoredKey } from "../store/store.js";
import { generateKey, generateKeyId, isWellFormedKey, toKeyHash } from "./key.js";

const HOUR_MS = 3_600_000;

/** Whom a valid key stands for. */
export interface KeyPrincipal {
  /** Public identifier of the key, safe to log. */
  readonly id: string;
  readonly name: string;
}

export interface KeySummary extends ListedKey {
  readonly state: "active" | "expired" | "revoked";
}

/** The only moment at which a key's text is known. */
export interface IssuedKey extends KeyPrincipal {
  readonly key: string;
  readonly expiresAt?: Date;
}

export interface RotatedKey extends IssuedKey {
  /** When the old key stops passing. */
  readonly oldExpiresAt: Date;
}

export interface IssueOptions {
  /** Who uses the key: 1 to 100 printable characters, not all blank. Need not be unique. */
  readonly name: string;
  /** First instant at which the key no longer passes; never when absent. */
  readonly expiresAt?: Date | undefined;
}

export interface RotateOptions {
  /** How long the old key still passes, in hours; default 24, 0 for not at all. */
  readonly overlapHours?: number | undefined;
}

export interface KeysOptions {
  /** Who issues, rotates and revokes, for the history: default `service`. */
  readonly actor?: string;
  /** Called with the `id` of each key that passes. */
  readonly onUse?: (id: string) => void;
  /** Current time; default the system's. */
  readonly now?: () => Date;
}

/** A request about keys that cannot be granted; the message is one line for whoever asked. */
export class KeyError extends Error {
  override readonly name = "KeyError";
}

/** API keys: issued once, looked up by hash, never stored as text. Every method rejects when the store does. */
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
   * Who this key stands for; undefined when it is malformed, unknown, expired or revoked.
   * What another process revokes is refused from the next call on, or as soon as the store notices.
   */
  async authenticateKey(key: string): Promise<KeyPrincipal | undefined> {
    if (!isWellFormedKey(key)) return undefined;
    const hash = toKeyHash(key);
    const stored = await this.#store.findByHash(hash);
    // The index compares byte by byte until the first difference; this makes the decision itself constant in time.
    if (stored === undefined || !timingSafeEqual(stored.hash, hash)) return undefined;
    if (this.#stateOf(stored) !== "active") return undefined;
    this.#onUse(stored.id);
    return { id: stored.id, name: stored.name };
  }

  /** @throws {KeyError} when the name is not fit to be shown. */
  async issue({ name, expiresAt }: IssueOptions): Promise<IssuedKey> {
    if (!/^(?!\s*$)[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(name)) {
      throw new KeyError("A key's name must be 1 to 100 printable characters.");
    }
    const { issued, stored } = this.#generate(name, expiresAt);
    await this.#store.insert(stored, this.#actor);
    return issued;
  }

  /**
   * Who did what with keys and when, oldest first.
   * @param id Only what was done with this key.
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
   * Issues a successor with the same name and the same lifetime, counted from now. The old key still passes for
   * the overlap, but never longer than it would have.
   * @throws {KeyError} when `id` is unknown, not active, or replaced already.
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
    // The store decides, in one transaction: another process may have rotated or revoked the key since it was read.
    if (
      !(await this.#store.replace(id, { successor: stored, expiresAt: oldExpiresAt, actor: this.#actor }))
    ) {
      throw new KeyError(`Key ${id} has been replaced or revoked already; rotate its successor instead.`);
    }
    return { ...issued, oldExpiresAt };
  }

  /** Makes the key fail from the next look-up on, here and where the store is read each time. A revoked key stays as it was. */
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
    return expiresAt !== undefined && expiresAt <= this.#now() ? "expired" : "active";
  }
}

function unknownKey(id: string): KeyError {
  return new KeyError(`No key has the ID ${JSON.stringify(id)}.`);
}
