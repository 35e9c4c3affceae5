import type {
  KeyEvent,
  KeyRecord,
  KeyReplacement,
  KeyRevocation,
  KeyStore,
  ListedKey,
  StoredKey,
} from "../store.js";

/** How long a found key is cached, in milliseconds: the delay after which a key that another process revoked is refused. */
export const KEY_CACHE_MS = 10_000;

/** Maximum number of cached keys. */
const KEY_CACHE_SIZE = 10_000;

interface CachedKey {
  readonly key: Promise<StoredKey | undefined>;
  /** Time by the store's clock. */
  readonly until: number;
}

export interface CachedKeyStoreOptions {
  /** How long a found key is cached, in milliseconds. Default: {@link KEY_CACHE_MS}. */
  readonly lifetimeMs?: number;
  /** A clock in milliseconds that only goes forward. Default: `performance.now`. */
  readonly now?: () => number;
}

/**
 * Caches keys found by hash, because every request looks one up. Unknown keys are not cached, so that a new key is valid
 * at once, and every change made here clears the cache.
 */
export class CachedKeyStore implements KeyStore {
  readonly #store: KeyStore;
  readonly #lifetimeMs: number;
  readonly #now: () => number;
  /** Keys by hash, oldest first. */
  readonly #found = new Map<string, CachedKey>();

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
    return this.#clearAfter(this.#store.replace(id, replacement));
  }

  revoke(id: string, revocation: KeyRevocation): Promise<KeyRecord | undefined> {
    return this.#clearAfter(this.#store.revoke(id, revocation));
  }

  /** Concurrent requests for a key share one query. */
  async #find(name: string, hash: Uint8Array): Promise<StoredKey | undefined> {
    const found: CachedKey = {
      key: this.#store.findByHash(hash),
      until: this.#now() + this.#lifetimeMs,
    };
    // Deleted first, because a Map keeps the position of a name that is set again.
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

  /** Clears the cache after a write whatever its outcome: a failed write may have been committed. */
  async #clearAfter<T>(write: Promise<T>): Promise<T> {
    try {
      return await write;
    } finally {
      this.#found.clear();
    }
  }
}
