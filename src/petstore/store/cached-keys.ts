import type {
  KeyEvent,
  KeyRecord,
  KeyReplacement,
  KeyRevocation,
  KeyStore,
  ListedKey,
  StoredKey,
} from "./store.js";

/**
 * How long, in milliseconds, a key that was found is believed without asking again: the time after which what another
 * process revoked or rotated is refused here.
 */
export const KEY_CACHE_MS = 10_000;

/** Most keys that are remembered. */
const KEY_CACHE_SIZE = 10_000;

interface Found {
  readonly key: Promise<StoredKey | undefined>;
  /** By the store's clock. */
  readonly until: number;
}

export interface CachedKeyStoreOptions {
  /** How long a key that was found is believed, in milliseconds. Default: {@link KEY_CACHE_MS}. */
  readonly lifetimeMs?: number;
  /** A clock in milliseconds that only goes forward. Default: `performance.now`. */
  readonly now?: () => number;
}

/**
 * Remembers the keys that were found by hash, because every request asks for one. Unknown ones are asked for each time,
 * so that a new key passes at once, and whatever is written here forgets all.
 */
export class CachedKeyStore implements KeyStore {
  readonly #store: KeyStore;
  readonly #lifetimeMs: number;
  readonly #now: () => number;
  /** By hash, oldest first. */
  readonly #found = new Map<string, Found>();

  constructor(
    store: KeyStore,
    { lifetimeMs = KEY_CACHE_MS, now = () => performance.now() }: CachedKeyStoreOptions = {},
  ) {
    this.#store = store;
    this.#lifetimeMs = lifetimeMs;
    this.#now = now;
  }

  findByHash(hash: Uint8Array): Promise<StoredKey | undefined> {
    const name = Buffer.from(hash).toString("latin1");
    const found = this.#found.get(name);
    if (found !== undefined && this.#now() < found.until) return found.key;
    return this.#find(name, hash);
  }

  get(id: string): Promise<KeyRecord | undefined> {
    return this.#store.get(id);
  }

  list(): Promise<readonly ListedKey[]> {
    return this.#store.list();
  }

  listEvents(id?: string): Promise<readonly KeyEvent[]> {
    return this.#store.listEvents(id);
  }

  recordUses(uses: ReadonlyMap<string, Date>): Promise<void> {
    return this.#store.recordUses(uses);
  }

  insert(key: StoredKey, actor: string): Promise<void> {
    return this.#store.insert(key, actor);
  }

  replace(id: string, replacement: KeyReplacement): Promise<boolean> {
    return this.#forgetting(this.#store.replace(id, replacement));
  }

  revoke(id: string, revocation: KeyRevocation): Promise<KeyRecord | undefined> {
    return this.#forgetting(this.#store.revoke(id, revocation));
  }

  /** Requests that ask at once share one answer. */
  async #find(name: string, hash: Uint8Array): Promise<StoredKey | undefined> {
    const found: Found = {
      key: this.#store.findByHash(hash),
      until: this.#now() + this.#lifetimeMs,
    };
    // Deleted first: a Map keeps the place of a name that is set again.
    this.#found.delete(name);
    this.#found.set(name, found);
    for (const oldest of this.#found.keys()) {
      if (this.#found.size <= KEY_CACHE_SIZE) break;
      this.#found.delete(oldest);
    }
    const forget = (): void => {
      if (this.#found.get(name) === found) this.#found.delete(name);
    };
    try {
      const key = await found.key;
      if (key === undefined) forget();
      return key;
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** Forgets when a write is over, whatever came of it: an answer may have been lost on its way. */
  async #forgetting<T>(write: Promise<T>): Promise<T> {
    try {
      return await write;
    } finally {
      this.#found.clear();
    }
  }
}
