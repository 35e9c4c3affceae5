import type { KeyStore } from "../store/store.js";

/** How long, in milliseconds, uses are gathered before they are written: no key is written more often. */
const GATHER_MS = 60_000;

/** Most uses of one write, which holds up the event loop with SQLite. */
const MOST_AT_ONCE = 1_000;

export interface KeyUsesOptions {
  /** Default: a minute. */
  readonly gatherMs?: number;
  /** Hears of a write that failed; it is done again with the next one. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * Remembers which keys were used and writes it down from time to time, so that no request waits for it. What was gathered
 * last is lost with a process that is killed.
 */
export class KeyUses {
  readonly #store: Pick<KeyStore, "recordUses">;
  readonly #gatherMs: number;
  readonly #onFailure: (error: unknown) => void;
  #gathered = new Map<string, Date>();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Pick<KeyStore, "recordUses">, options: KeyUsesOptions = {}) {
    this.#store = store;
    this.#gatherMs = options.gatherMs ?? GATHER_MS;
    this.#onFailure = options.onFailure ?? (() => undefined);
  }

  /** A key was used, now. There are as many ids as valid keys, so that this is bounded. */
  note(id: string): void {
    this.#gathered.set(id, new Date());
    this.#timer ??= setTimeout(() => void this.flush(), this.#gatherMs).unref();
  }

  /** Writes what was gathered. Never rejects: a use that is not written down fails nobody. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const uses = [...this.#gathered];
    this.#gathered = new Map();
    for (let start = 0; start < uses.length; start += MOST_AT_ONCE) {
      const some = new Map(uses.slice(start, start + MOST_AT_ONCE));
      try {
        await this.#store.recordUses(some);
      } catch (error) {
        for (const [id, at] of some) if (!this.#gathered.has(id)) this.#gathered.set(id, at);
        this.#onFailure(error);
      }
    }
  }
}
