import { MIGRATIONS } from "../migrations.js";
import { StoreOpenError } from "../store.js";
import { toOpenError } from "./errors.js";
import { migratePostgres, withClient } from "./migrate.js";
import { Servers } from "./servers.js";
import { toClientConfig } from "./session.js";

/** How long a connection may take, in milliseconds. */
const CONNECT_MS = 5000;

/**
 * The tables that grow with the number of pets, and the columns that distribute them. Each transaction also uses `pet_ids`, which
 * stays on the coordinator, as the tables of API keys do.
 */
const DISTRIBUTED = [
  ["pets", "id"],
  ["idempotency_keys", "caller"],
] as const;

/**
 * Distributes the tables of a database over the workers of its Citus cluster, with all of their rows. Tables that are distributed
 * already stay as they are.
 * @param url Address of the coordinator.
 * @param shards Shards per table. Default: one per worker, because a page of pets is read from all of them.
 * @returns the number of shards, and the tables that this call distributed.
 * @throws {StoreOpenError} when the database has no Citus or no worker.
 */
export async function distributePostgres(
  url: string,
  shards?: number,
): Promise<{ readonly shards: number; readonly tables: readonly string[] }> {
  const servers = new Servers(url);
  const { place } = servers;
  try {
    const config = toClientConfig((await servers.find(CONNECT_MS)).url, CONNECT_MS);
    await migratePostgres(config, MIGRATIONS, place);
    let count = shards ?? 0;
    const tables: string[] = [];
    await withClient(config, async (client) => {
      const { rowCount } = await client.query("select from pg_extension where extname = 'citus'");
      if (rowCount === 0)
        throw new StoreOpenError(`Cannot distribute ${place}: it lacks the extension citus.`);
      const { rowCount: workers } = await client.query("select from citus_get_active_worker_nodes()");
      if (!workers)
        throw new StoreOpenError(`Cannot distribute ${place}: add a worker with citus_add_node first.`);
      count = shards ?? workers;
      for (const [table, column] of DISTRIBUTED) {
        const { rowCount: isDone } = await client.query(
          "select from citus_tables where table_name = $1::regclass and citus_table_type = 'distributed'",
          [table],
        );
        if (isDone) continue;
        await client.query("select create_distributed_table($1, $2, shard_count => $3)", [
          table,
          column,
          count,
        ]);
        // The rows were copied; without this the coordinator keeps the originals.
        await client.query("select truncate_local_data_after_distributing_table($1)", [table]);
        tables.push(table);
      }
    });
    return { shards: count, tables };
  } catch (error) {
    throw toOpenError(error, place);
  }
}
