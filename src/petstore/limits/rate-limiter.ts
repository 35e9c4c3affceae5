import type { RateStore } from "../store/store.js";
import type { Rate } from "./rate.js";

/** What came of one request. */
export interface Decision {
  readonly isAllowed: boolean;
  /** Requests that may follow at once. */
  readonly remaining: number;
  /** Whole seconds, 1 or more, until there is one more than `remaining`. */
  readonly resetSeconds: number;
}

export interface RateLimiterOptions {
  /** Where processes share what was used; without it each counts for itself. */
  readonly store?: RateStore | undefined;
  /** Hears that the store failed; until it answers again this process counts for itself. */
  readonly onFailure?: (error: unknown) => void;
  /** Most callers that are remembered; the one that was quiet for longest is forgotten. Default: 10,000. */
  readonly mostCallers?: number;
  /** A clock in milliseconds that only goes forward. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}

/** What a caller has used. */
interface Caller {
  /** When all of it is regained, by the limiter's clock. It is not yet, or has long been. */
  regainedAt: number;
  /** Requests that the store does not know of, those on their way to it included. */
  untold: number;
  telling: Promise<void> | undefined;
}

/** A process tells the store of so many requests of a caller at the latest: this part of the limit, at most 100. */
const SHARE = 20;
const MOST_UNTOLD = 100;

/** Shifts less than the clock's own error, and keeps 0.1 + 0.2 from refusing the last request. */
const TOLERANCE_MS = 1e-6;

/**
 * Limits callers to a rate by the generic cell rate algorithm: each request takes a place that is regained `window / limit`
 * later, one place after the other. So `limit` may come at once, and from then on as many as the rate allows; nothing is
 * regained all at once at the end of a window.
 *
 * With a store, processes share the places. Each keeps at most {@link mostUntold} requests of a caller to itself, so that all
 * together let through at most `limit` and that many for each process; and it costs a query in half as many requests.
 */
export class RateLimiter {
  /** Requests of a caller that the store may not know of. */
  readonly mostUntold: number;
  readonly #store: RateStore | undefined;
  readonly #onFailure: (error: unknown) => void;
  readonly #mostCallers: number;
  readonly #now: () => number;
  readonly #windowMs: number;
  readonly #placeMs: number;
  /** Quiet for longest first. */
  readonly #callers = new Map<string, Caller>();

  constructor({ limit, windowSeconds }: Rate, options: RateLimiterOptions = {}) {
    this.#windowMs = windowSeconds * 1000;
    this.#placeMs = this.#windowMs / limit;
    this.mostUntold = Math.min(Math.max(1, Math.floor(limit / SHARE)), MOST_UNTOLD);
    this.#store = options.store;
    this.#onFailure = options.onFailure ?? (() => undefined);
    this.#mostCallers = options.mostCallers ?? 10_000;
    this.#now = options.now ?? (() => performance.now());
  }

  /** How many callers are remembered. */
  get size(): number {
    return this.#callers.size;
  }

  /** Takes a place for one request. It waits only where the store has to be asked first. Never rejects. */
  take(id: string): Decision | Promise<Decision> {
    const caller = this.#find(id);
    if (this.#store === undefined) return this.#decide(caller);
    if (caller.untold >= this.mostUntold) return this.#takeWhenTold(id, caller, this.#store);
    return this.#decideAndTell(id, caller, this.#store);
  }

  async #takeWhenTold(id: string, caller: Caller, store: RateStore): Promise<Decision> {
    // Others that waited too may have used it up again.
    while (caller.untold >= this.mostUntold) await this.#tell(id, caller, store);
    return this.#decideAndTell(id, caller, store);
  }

  #decideAndTell(id: string, caller: Caller, store: RateStore): Decision {
    const decision = this.#decide(caller);
    // Early, so that hardly any request has to wait for it.
    if (caller.untold * 2 >= this.mostUntold) void this.#tell(id, caller, store);
    return decision;
  }

  #decide(caller: Caller): Decision {
    const now = this.#now();
    const used = Math.max(0, caller.regainedAt - now);
    const isAllowed = used + this.#placeMs <= this.#windowMs + TOLERANCE_MS;
    const free = this.#windowMs + TOLERANCE_MS - used - (isAllowed ? this.#placeMs : 0);
    if (isAllowed) {
      caller.regainedAt = now + used + this.#placeMs;
      caller.untold += 1;
    }
    const remaining = Math.max(0, Math.floor(free / this.#placeMs));
    const resetMs = (remaining + 1) * this.#placeMs - free;
    return { isAllowed, remaining, resetSeconds: Math.max(1, Math.ceil(resetMs / 1000)) };
  }

  /** Tells the store what it does not know, and learns what others have used; once at a time. */
  #tell(id: string, caller: Caller, store: RateStore): Promise<void> {
    caller.telling ??= this.#exchange(id, caller, store).finally(() => {
      caller.telling = undefined;
    });
    return caller.telling;
  }

  async #exchange(id: string, caller: Caller, store: RateStore): Promise<void> {
    const told = caller.untold;
    // What was used long ago has been regained meanwhile.
    const usedMs = Math.min(told * this.#placeMs, Math.max(0, caller.regainedAt - this.#now()));
    try {
      const allUsedMs = await store.add(id, usedMs);
      caller.untold -= told;
      caller.regainedAt = this.#now() + allUsedMs + caller.untold * this.#placeMs;
    } catch (error) {
      // A limit is no reason to answer nobody: whether the database is away is for the request itself to find out.
      caller.untold -= told;
      this.#onFailure(error);
    }
  }

  #find(id: string): Caller {
    const known = this.#callers.get(id);
    // Deleted first: a Map keeps the place of a name that is set again.
    if (known !== undefined) this.#callers.delete(id);
    const caller = known ?? { regainedAt: 0, untold: 0, telling: undefined };
    this.#callers.set(id, caller);
    for (const quietest of this.#callers.keys()) {
      if (this.#callers.size <= this.#mostCallers) break;
      this.#callers.delete(quietest);
    }
    return caller;
  }
}
