import { setTimeout as sleep } from "node:timers/promises";
import { Client, type ClientConfig } from "pg";
import { type AppliedMigration, findSchemaProblem, type Migration, toChecksum } from "../migrations.js";
import { StoreOpenError } from "../store.js";
import { startSession, toLocalLimits } from "./session.js";
import { isConflict, isCreatedConcurrently } from "./errors.js";

/** Another process that migrates may be building the index of a large table. */
const LIMITS = { connectMs: 5000, statementMs: 0, lockMs: 60_000 };
const ATTEMPTS = 10;

/** The tables about migrations. The lock is a row, because advisory locks do nothing on some engines. */
const BOOKKEEPING = [
  "create table if not exists schema_lock (id integer primary key)",
  "insert into schema_lock (id) values (1) on conflict (id) do nothing",
  `create table if not exists schema_migrations
    (version integer primary key, name text not null, checksum text not null, applied_at text not null)`,
];

/**
 * Applies missing migrations. Processes that start at once do so one after the other, and a process that finds nothing
 * missing needs no right to create tables.
 * @param place The database's address, for messages.
 * @throws {StoreOpenError} when the database belongs to another program, is newer, or has an edited migration.
 */
export async function migratePostgres(
  config: ClientConfig,
  migrations: readonly Migration[],
  place: string,
): Promise<void> {
  await withClient(config, async (client) => {
    if ((await findMissing(client, migrations, place)).length === 0) return;
    // A pooler may run each statement in another session.
    const limits = (await startSession(client, LIMITS)) ? "" : `${toLocalLimits(LIMITS)}; `;
    for (const statement of BOOKKEEPING) await execute(client, limits + statement);
    // The lock has its own connection: on some engines data definition ends the transaction that it is in.
    await withClient(config, async (lock) => {
      await lock.query(`begin; ${toLocalLimits(LIMITS)}; set local idle_in_transaction_session_timeout = 0`);
      await lock.query("select id from schema_lock where id = 1 for update");
      for (const { version, name, postgres } of await findMissing(client, migrations, place)) {
        for (const statement of postgres) await execute(client, limits + statement);
        await client.query(
          "insert into schema_migrations (version, name, checksum, applied_at) values ($1, $2, $3, $4)",
          [version, name, toChecksum(postgres), new Date().toISOString()],
        );
      }
      await lock.query("commit");
    });
  });
}

/**
 * Checks that no migration is missing, without changing the database.
 * @throws {StoreOpenError} when one is.
 */
export async function assertMigrated(
  config: ClientConfig,
  migrations: readonly Migration[],
  place: string,
): Promise<void> {
  await withClient(config, async (client) => {
    if ((await findMissing(client, migrations, place)).length === 0) return;
    throw new StoreOpenError(
      `Cannot open ${place}: its tables are missing or out of date; start the service on it once.`,
    );
  });
}

/** Reads which migrations are missing, unless the tables belong to another program. */
async function findMissing(
  client: Client,
  migrations: readonly Migration[],
  place: string,
): Promise<readonly Migration[]> {
  const created = [...BOOKKEEPING, ...migrations.flatMap(({ postgres }) => postgres)].flatMap(
    (statement) => /^create table if not exists (\w+)/.exec(statement)?.[1] ?? [],
  );
  const { rows: tables } = await client.query<{ tablename: string }>(
    "select tablename from pg_tables where schemaname = current_schema() and tablename = any($1)",
    [created],
  );
  const names = tables.map(({ tablename }) => tablename);
  // The lock is the first table that we create: tables without it are not ours.
  if (names.length > 0 && !names.includes("schema_lock")) {
    throw new StoreOpenError(
      `Cannot open ${place}: it has tables of another program, ${names.sort().join(", ")}.`,
    );
  }
  if (!names.includes("schema_migrations")) return migrations;
  const { rows: applied } = await client.query<AppliedMigration>(
    "select version, name, checksum from schema_migrations order by version",
  );
  const problem = findSchemaProblem(applied, migrations, "postgres");
  if (problem !== undefined) throw new StoreOpenError(`Cannot open ${place}: ${problem}`);
  return migrations.slice(applied.length);
}

/** Executes a repeatable statement, again when another process interfered. */
async function execute(client: Client, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(statement);
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || !(isConflict(error) || isCreatedConcurrently(error))) throw error;
    }
    await sleep(Math.random() * 2 ** attempt);
  }
}

/** Runs `work` on a connection of its own, which has no limits. */
export async function withClient(
  config: ClientConfig,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const client = new Client(config);
  // An error of the connection also fails the current statement, or the next one.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end();
  }
}
