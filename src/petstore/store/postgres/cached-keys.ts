import type { KeyStore, StoredKey } from "../store.js";

/** How long a found key is cached, in milliseconds: the delay after which a key that another process revoked is refused. */
export const KEY_CACHE_MS = 10_000;

/** Maximum number of cached keys. */
const KEY_CACHE_SIZE = 10_000;

interface CachedKey {
  readonly key: Promise<StoredKey | undefined>;
  /** Time by the cache's clock. */
  readonly until: number;
}

export interface KeyCacheOptions {
  /** How long a found key is cached, in milliseconds. Default: {@link KEY_CACHE_MS}. */
  readonly lifetimeMs?: number;
  /** A clock in milliseconds that only goes forward. Default: `performance.now`. */
  readonly now?: () => number;
}

/**
 * Caches keys found by hash, because every request looks one up. Unknown keys are not cached, so that a new key is valid
 * at once, and every change made here clears the cache.
 */
export function cacheKeys(
  store: KeyStore,
  { lifetimeMs = KEY_CACHE_MS, now = () => performance.now() }: KeyCacheOptions = {},
): KeyStore {
  /** Keys by hash, oldest first. */
  const cache = new Map<string, CachedKey>();

  /** Concurrent requests for a key share one query. */
  function find(name: string, hash: Uint8Array): Promise<StoredKey | undefined> {
    const found: CachedKey = { key: store.findByHash(hash), until: now() + lifetimeMs };
    // Deleted first, because a Map keeps the position of a name that is set again.
    cache.delete(name);
    cache.set(name, found);
    for (const oldest of cache.keys()) {
      if (cache.size <= KEY_CACHE_SIZE) break;
      cache.delete(oldest);
    }
    const forget = (): void => {
      if (cache.get(name) === found) cache.delete(name);
    };
    found.key.then((key) => {
      if (key === undefined) forget();
    }, forget);
    return found.key;
  }

  /** Clears the cache after a write whatever its outcome: a failed write may have been committed. */
  function clearAfter<T>(write: Promise<T>): Promise<T> {
    return write.finally(() => {
      cache.clear();
    });
  }

  return {
    ...store,
    findByHash(hash) {
      const name = Buffer.from(hash).toString("latin1");
      const found = cache.get(name);
      return found !== undefined && now() < found.until ? found.key : find(name, hash);
    },
    replace: (id, replacement) => clearAfter(store.replace(id, replacement)),
    revoke: (id, revocation) => clearAfter(store.revoke(id, revocation)),
  };
}
