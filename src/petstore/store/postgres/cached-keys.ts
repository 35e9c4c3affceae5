import { type KeyStore, type StoredKey, StoreUnavailableError } from "../store.js";

/** How long a found key is cached, in milliseconds: the delay after which a key that another process revoked is refused. */
export const KEY_CACHE_MS = 10_000;

/** Maximum number of cached keys. */
const KEY_CACHE_SIZE = 10_000;

/** Maximum number of keys in one query. */
const KEYS_PER_QUERY = 1_000;

/** Finds those of the keys with these hashes that exist, in any order. */
export type FindKeys = (hashes: readonly Uint8Array[]) => Promise<readonly StoredKey[]>;

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
  findKeys: FindKeys,
  { lifetimeMs = KEY_CACHE_MS, now = () => performance.now() }: KeyCacheOptions = {},
): KeyStore {
  /** Keys by hash, oldest first. */
  const cache = new Map<string, CachedKey>();
  const lookUp = createLookUp(findKeys);

  /** Concurrent requests for a key share one look-up. */
  function find(name: string, hash: Uint8Array): Promise<StoredKey | undefined> {
    const found: CachedKey = { key: lookUp(name, hash), until: now() + lifetimeMs };
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
      const name = toName(hash);
      const found = cache.get(name);
      return found !== undefined && now() < found.until ? found.key : find(name, hash);
    },
    replace: (id, replacement) => clearAfter(store.replace(id, replacement)),
    revoke: (id, revocation) => clearAfter(store.revoke(id, revocation)),
  };
}

/** A look-up that waits for its query. */
interface LookUp {
  readonly name: string;
  readonly hash: Uint8Array;
  readonly resolve: (key: StoredKey | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Looks up keys with one query at a time; those that arrive meanwhile share the next one. So a flood of unknown keys, from however many
 * networks, uses one connection of the pool, and callers with valid keys have the others.
 */
function createLookUp(
  findKeys: FindKeys,
): (name: string, hash: Uint8Array) => Promise<StoredKey | undefined> {
  let waiting: LookUp[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) await runQuery(waiting.splice(0, KEYS_PER_QUERY));
    isRunning = false;
  }

  async function runQuery(lookUps: readonly LookUp[]): Promise<void> {
    try {
      const keys = await findKeys(lookUps.map(({ hash }) => hash));
      const byName = new Map(keys.map((key) => [toName(key.hash), key]));
      for (const { name, resolve } of lookUps) resolve(byName.get(name));
    } catch (error) {
      // Look-ups that wait behind an unavailable database would only wait as long again.
      const behind = error instanceof StoreUnavailableError ? waiting : [];
      if (behind.length > 0) waiting = [];
      for (const { reject } of [...lookUps, ...behind]) reject(error);
    }
  }

  return (name, hash) =>
    new Promise((resolve, reject) => {
      waiting.push({ name, hash, resolve, reject });
      if (!isRunning) void runAll();
    });
}

function toName(hash: Uint8Array): string {
  return Buffer.from(hash).toString("latin1");
}
