import type { RateStore } from "../store/store.js";

/** Number of requests per window of time. */
export interface Rate {
  /** Requests, 1 or more. */
  readonly limit: number;
  /** In whole seconds, the unit of the `RateLimit-Policy` header. */
  readonly windowSeconds: number;
}

/** The decision about one request. */
export interface Decision {
  readonly isAllowed: boolean;
  /** Number of requests that may follow at once. */
  readonly remaining: number;
  /** Seconds, 1 or more, until `remaining` grows by one. */
  readonly resetSeconds: number;
}

export interface RateLimiterOptions {
  /** Shares rates between processes. Default: each process counts for itself. */
  readonly store?: RateStore | undefined;
  /** Called when the store fails; meanwhile this process counts for itself. */
  readonly onFailure?: (error: unknown) => void;
  /** Maximum number of callers in memory; see {@link EVICTION_CANDIDATES}. Default: 10,000. */
  readonly maxCallers?: number;
  /** A clock in milliseconds that only goes forward. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}

/** State of a caller. */
interface Caller {
  /** Time at which all of the rate is regained, by the limiter's clock. In the past for a caller with nothing in use. */
  regainedAt: number;
  /** Requests that the store does not know yet, including those being sent to it. */
  unsynced: number;
  /** The exchange with the store in progress. */
  syncing: Promise<void> | undefined;
}

/** A process syncs with the store after a twentieth of the limit, and at the latest after this number of requests. */
const MAX_UNSYNCED = 100;

/**
 * When memory is full, this number of callers is compared and the one with the least in use is dropped. So requests of many other
 * callers do not make the limiter forget one that has used up its rate.
 */
const EVICTION_CANDIDATES = 16;

/** Keeps rounding errors from refusing the last request; less than the error of the clock. */
const TOLERANCE_MS = 1e-6;

/**
 * Limits callers to a rate by the generic cell rate algorithm. Each request takes a slot, and slots are regained one by one,
 * every `window / limit`. So a caller may send `limit` requests at once, and after that as many as the rate allows.
 *
 * With a store, processes share the slots. A process syncs after at most {@link maxUnsynced} requests of a caller, usually
 * after half of them. All processes together accept at most `limit` requests, plus {@link maxUnsynced} per process.
 */
export class RateLimiter {
  /** Maximum number of requests of a caller that the store does not know yet. */
  readonly maxUnsynced: number;
  readonly #store: RateStore | undefined;
  readonly #onFailure: (error: unknown) => void;
  readonly #maxCallers: number;
  readonly #now: () => number;
  readonly #windowMs: number;
  readonly #slotMs: number;
  /** Least recently seen or compared first. */
  readonly #callers = new Map<string, Caller>();

  constructor({ limit, windowSeconds }: Rate, options: RateLimiterOptions = {}) {
    this.#windowMs = windowSeconds * 1000;
    this.#slotMs = this.#windowMs / limit;
    this.maxUnsynced = Math.min(Math.max(1, Math.floor(limit / 20)), MAX_UNSYNCED);
    this.#store = options.store;
    this.#onFailure = options.onFailure ?? (() => undefined);
    this.#maxCallers = options.maxCallers ?? 10_000;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Number of callers in memory. */
  get size(): number {
    return this.#callers.size;
  }

  /** Takes a slot for one request. Returns a promise only when the store must be asked first. Never rejects. */
  take(id: string): Decision | Promise<Decision> {
    const caller = this.#find(id);
    if (this.#store === undefined) return this.#decide(caller);
    if (caller.unsynced >= this.maxUnsynced) return this.#takeWhenSynced(id, caller, this.#store);
    return this.#decideAndSync(id, caller, this.#store);
  }

  async #takeWhenSynced(id: string, caller: Caller, store: RateStore): Promise<Decision> {
    // Other waiting requests may have used the slots up again.
    while (caller.unsynced >= this.maxUnsynced) await this.#sync(id, caller, store);
    return this.#decideAndSync(id, caller, store);
  }

  #decideAndSync(id: string, caller: Caller, store: RateStore): Decision {
    const decision = this.#decide(caller);
    // Early, so that few requests have to wait.
    if (caller.unsynced * 2 >= this.maxUnsynced) void this.#sync(id, caller, store);
    return decision;
  }

  #decide(caller: Caller): Decision {
    const now = this.#now();
    const used = Math.max(0, caller.regainedAt - now);
    const isAllowed = used + this.#slotMs <= this.#windowMs + TOLERANCE_MS;
    const free = this.#windowMs + TOLERANCE_MS - used - (isAllowed ? this.#slotMs : 0);
    if (isAllowed) {
      caller.regainedAt = now + used + this.#slotMs;
      caller.unsynced += 1;
    }
    const remaining = Math.max(0, Math.floor(free / this.#slotMs));
    const resetMs = (remaining + 1) * this.#slotMs - free;
    return { isAllowed, remaining, resetSeconds: Math.max(1, Math.ceil(resetMs / 1000)) };
  }

  /** Sends new use to the store, and receives that of other processes. One exchange per caller at a time. */
  #sync(id: string, caller: Caller, store: RateStore): Promise<void> {
    caller.syncing ??= this.#exchange(id, caller, store).finally(() => {
      caller.syncing = undefined;
    });
    return caller.syncing;
  }

  async #exchange(id: string, caller: Caller, store: RateStore): Promise<void> {
    const sent = caller.unsynced;
    // Part of the use may be regained already.
    const usedMs = Math.min(sent * this.#slotMs, Math.max(0, caller.regainedAt - this.#now()));
    try {
      const allUsedMs = await store.add(id, usedMs);
      caller.unsynced -= sent;
      caller.regainedAt = this.#now() + allUsedMs + caller.unsynced * this.#slotMs;
    } catch (error) {
      // Requests must not fail because rates cannot be shared. They find out themselves whether the database is available.
      caller.unsynced -= sent;
      this.#onFailure(error);
    }
  }

  #find(id: string): Caller {
    const known = this.#callers.get(id);
    if (known === undefined && this.#callers.size >= this.#maxCallers) this.#evict();
    const caller = known ?? { regainedAt: 0, unsynced: 0, syncing: undefined };
    this.#moveToEnd(id, caller);
    return caller;
  }

  #evict(): void {
    const candidates: [string, Caller][] = [];
    for (const entry of this.#callers) if (candidates.push(entry) === EVICTION_CANDIDATES) break;
    const [least, ...others] = candidates.sort(([, a], [, b]) => a.regainedAt - b.regainedAt);
    if (least !== undefined) this.#callers.delete(least[0]);
    for (const [id, caller] of others) this.#moveToEnd(id, caller);
  }

  #moveToEnd(id: string, caller: Caller): void {
    // Deleted first, because a Map keeps the position of a name that is set again.
    this.#callers.delete(id);
    this.#callers.set(id, caller);
  }
}
