import type { SqliteConnection } from "./sqlite-connection.js";
import type { SqliteStatement } from "./sqlite-driver.js";
import type { RateStore } from "./store.js";

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
    const row = await this.#connection.transactionWhenFree(() =>
      this.#add.get({ 1: keyId, 2: Date.now() * 1000, 3: Math.round(usedMs * 1000) }),
    );
    return (row as { used: number }).used / 1000;
  }
}
