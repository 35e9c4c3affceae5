import type { KeyStore } from "../store/store.js";

/** Interval of writes in milliseconds. */
const INTERVAL_MS = 60_000;

/** Maximum number of uses in one write, because SQLite blocks the event loop. */
const BATCH_SIZE = 1_000;

export interface KeyUsesOptions {
  /** Interval of writes in milliseconds. Default: a minute. */
  readonly intervalMs?: number;
  /** Called when a write fails; its uses are part of the next one. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * Records when keys were last used. Uses are written once in a while, so that no request waits for a write. A process that
 * is killed loses the uses since the last one.
 */
export class KeyUses {
  readonly #store: Pick<KeyStore, "recordUses">;
  readonly #intervalMs: number;
  readonly #onFailure: (error: unknown) => void;
  #pending = new Map<string, Date>();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Pick<KeyStore, "recordUses">, options: KeyUsesOptions = {}) {
    this.#store = store;
    this.#intervalMs = options.intervalMs ?? INTERVAL_MS;
    this.#onFailure = options.onFailure ?? (() => undefined);
  }

  /** Records that a valid key is used now. */
  record(id: string): void {
    this.#pending.set(id, new Date());
    this.#timer ??= setTimeout(() => void this.flush(), this.#intervalMs).unref();
  }

  /** Writes the pending uses. Never rejects, because requests must not fail when it does. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const uses = [...this.#pending];
    this.#pending = new Map();
    for (let start = 0; start < uses.length; start += BATCH_SIZE) {
      const some = new Map(uses.slice(start, start + BATCH_SIZE));
      try {
        await this.#store.recordUses(some);
      } catch (error) {
        for (const [id, at] of some) if (!this.#pending.has(id)) this.#pending.set(id, at);
        this.#onFailure(error);
      }
    }
  }
}
