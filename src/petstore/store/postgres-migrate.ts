import { setTimeout as sleep } from "node:timers/promises";
import { Client, type ClientConfig } from "pg";
import { type AppliedMigration, findSchemaProblem, type Migration, toChecksum } from "./migrations.js";
import { isConflict, isCreatedMeanwhile } from "./postgres-errors.js";
import { StoreOpenError } from "./store.js";

/** How long, in milliseconds, to wait for another process that migrates: it may build the index of a large table. */
const LOCK_MS = 60_000;
const ATTEMPTS = 10;

/** What migrations are kept in. The row that they are done under is the lock: advisory locks do nothing on some engines. */
const BOOKKEEPING = [
  "create table if not exists schema_lock (id integer primary key)",
  "insert into schema_lock (id) values (1) on conflict (id) do nothing",
  `create table if not exists schema_migrations
    (version integer primary key, name text not null, checksum text not null, applied_at text not null)`,
];

/**
 * Brings a database up to date. Processes that start at once do it one after the other, and one that finds nothing to do
 * needs no right to do it.
 * @param place Its address, for messages.
 * @throws {StoreOpenError} when the database is another program's, newer, or differs in its past.
 */
export async function migratePostgres(
  config: ClientConfig,
  migrations: readonly Migration[],
  place: string,
): Promise<void> {
  const patient = { ...config, statement_timeout: false, lock_timeout: LOCK_MS } as const;
  await withClient(patient, async (client) => {
    if ((await findMissing(client, migrations, place)).length === 0) return;
    for (const statement of BOOKKEEPING) await execute(client, statement);
    // The lock has a connection of its own: on some engines data definition ends the transaction that it is in.
    await withClient(patient, async (lock) => {
      await lock.query("set idle_in_transaction_session_timeout = 0");
      await lock.query("begin");
      await lock.query("select id from schema_lock where id = 1 for update");
      for (const migration of await findMissing(client, migrations, place)) await apply(client, migration);
      await lock.query("commit");
    });
  });
}

/**
 * Passes on a database that is up to date, and changes none.
 * @throws {StoreOpenError}
 */
export async function assertMigrated(
  config: ClientConfig,
  migrations: readonly Migration[],
  place: string,
): Promise<void> {
  await withClient(config, async (client) => {
    if ((await findMissing(client, migrations, place)).length === 0) return;
    throw new StoreOpenError(
      `Cannot open ${place}: it lacks what this program keeps; start the service on it once.`,
    );
  });
}

async function apply(client: Client, { version, name, postgres }: Migration): Promise<void> {
  for (const statement of postgres) await execute(client, statement);
  await client.query(
    "insert into schema_migrations (version, name, checksum, applied_at) values ($1, $2, $3, $4)",
    [version, name, toChecksum(postgres), new Date().toISOString()],
  );
}

async function findMissing(
  client: Client,
  migrations: readonly Migration[],
  place: string,
): Promise<readonly Migration[]> {
  const applied = await readApplied(client, migrations, place);
  const problem = findSchemaProblem(applied, migrations, "postgres");
  if (problem !== undefined) throw new StoreOpenError(`Cannot open ${place}: ${problem}`);
  return migrations.slice(applied.length);
}

/** What the database remembers; nothing is read of a database that is not ours. */
async function readApplied(
  client: Client,
  migrations: readonly Migration[],
  place: string,
): Promise<readonly AppliedMigration[]> {
  const created = [...BOOKKEEPING, ...migrations.flatMap(({ postgres }) => postgres)].flatMap(
    (statement) => /^create table if not exists (\w+)/.exec(statement)?.[1] ?? [],
  );
  const { rows: tables } = await client.query<{ tablename: string }>(
    "select tablename from pg_tables where schemaname = current_schema() and tablename = any($1)",
    [created],
  );
  const names = tables.map(({ tablename }) => tablename);
  // It is the first that we create: a table without it is not ours.
  if (names.length > 0 && !names.includes("schema_lock")) {
    throw new StoreOpenError(
      `Cannot open ${place}: it has tables of another program, ${names.sort().join(", ")}.`,
    );
  }
  if (!names.includes("schema_migrations")) return [];
  const { rows } = await client.query<AppliedMigration>(
    "select version, name, checksum from schema_migrations order by version",
  );
  return rows;
}

/** Executes what may be executed twice, again when another process came between. */
async function execute(client: Client, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(statement);
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || !(isConflict(error) || isCreatedMeanwhile(error))) throw error;
    }
    await sleep(Math.random() * 2 ** attempt);
  }
}

async function withClient(config: ClientConfig, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client(config);
  // What breaks the connection fails the statement under way, or the next one.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end();
  }
}
