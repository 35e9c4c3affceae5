import { setTimeout as sleep } from "node:timers/promises";
import type { SqliteConnection } from "./sqlite-connection.js";
import type { SqliteStatement } from "./sqlite-driver.js";
import { isBusy, toStoreError } from "./sqlite-errors.js";
import type { RateStore } from "./store.js";

/** Pause between two attempts to get the write lock, in milliseconds. */
const RETRY_MS = 2;

/** Parameters: key, now and what was used, both in microseconds. */
const ADD = `insert into key_rates (key_id, regained_at) values ($1, $2 + $3)
  on conflict (key_id) do update set regained_at = max(regained_at, $2) + $3
  returning regained_at - $2 as used`;

/** What keys have used, in SQLite: for several processes of one machine, which have one clock. */
export class SqliteRateStore implements RateStore {
  readonly #connection: SqliteConnection;
  readonly #add: SqliteStatement;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
    this.#add = connection.prepare(ADD);
  }

  async add(keyId: string, usedMs: number): Promise<number> {
    const deadline = performance.now() + this.#connection.busyTimeoutMs;
    for (;;) {
      try {
        this.#connection.assertOpen();
        const parameters = { 1: keyId, 2: Date.now() * 1000, 3: Math.round(usedMs * 1000) };
        const row = this.#connection.tryTransaction(() => this.#add.get(parameters));
        return (row as { used: number }).used / 1000;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw toStoreError(error);
      }
      // Not inside the driver, which would stop the event loop until another process has written.
      await sleep(RETRY_MS);
    }
  }
}
