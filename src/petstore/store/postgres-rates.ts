import type { PostgresConnection } from "./postgres-connection.js";
import type { RateStore } from "./store.js";

/** The server's clock, in microseconds: those of the machines differ. */
const NOW = "(extract(epoch from now()) * 1000000)::bigint";

/** Parameters: key and what was used, in microseconds. */
const ADD = {
  name: "add to key rate",
  text: `insert into key_rates (key_id, regained_at) values ($1, ${NOW} + $2::bigint)
    on conflict (key_id) do update set regained_at = greatest(key_rates.regained_at, ${NOW}) + $2::bigint
    returning regained_at - ${NOW} as used`,
};

/** What keys have used, in PostgreSQL. */
export class PostgresRateStore implements RateStore {
  readonly #connection: PostgresConnection;

  constructor(connection: PostgresConnection) {
    this.#connection = connection;
  }

  add(keyId: string, usedMs: number): Promise<number> {
    return this.#connection.attempt(async (query) => {
      const [row] = await query<{ used: number }>(ADD, [keyId, Math.round(usedMs * 1000)]);
      return (row?.used ?? 0) / 1000;
    });
  }
}
