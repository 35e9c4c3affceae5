import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type AppliedMigration, findSchemaProblem, type Migration, toChecksum } from "../migrations.js";
import { StoreOpenError } from "../store.js";
import { SqliteConnection, whenFree } from "./connection.js";
import { DatabaseFile } from "./database-file.js";
import { loadSqliteDriver, type SqliteDatabase, toOpenError } from "./driver.js";
import { CHECKED_BYTES } from "./quick-checks.js";

/** `TENO` in ASCII: identifies databases of this service. @see https://sqlite.org/pragma.html#pragma_application_id */
const APPLICATION_ID = 0x54454e4f;

/** Name of a database without a file. */
export const IN_MEMORY = ":memory:";

export interface SqliteConnectionOptions {
  /** How long to wait for a lock that another process holds, in milliseconds. */
  readonly busyTimeoutMs: number;
  readonly migrations: readonly Migration[];
}

/**
 * Opens a database of this service, durable and with all migrations applied; creates the file and its directory when missing.
 * @param file Path relative to the working directory, or `:memory:`.
 * @throws {StoreOpenError} when the file cannot be used as it is; the message names it.
 * @throws {StoreUnavailableError} when it cannot be opened now.
 */
export async function openConnection(
  file: string,
  { busyTimeoutMs, migrations }: SqliteConnectionOptions,
): Promise<SqliteConnection> {
  const { DatabaseSync } = loadSqliteDriver();
  let database: SqliteDatabase | undefined;
  try {
    if (file !== IN_MEMORY) prepareFile(file);
    // An absolute path, because the driver would read `file:…` as a URI.
    const opened = (database = new DatabaseSync(file === IN_MEMORY ? file : resolve(file)));
    opened.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
    assertOurs(opened, file);
    assertSound(opened, file);
    // When two processes create a database at once, SQLite may refuse this as locked without waiting for its timeout.
    await whenFree(busyTimeoutMs, () => {
      opened.exec("pragma journal_mode = wal");
    });
    opened.exec("pragma synchronous = full");
    opened.exec("pragma foreign_keys = on");
    const connection = new SqliteConnection(opened, busyTimeoutMs);
    await whenFree(busyTimeoutMs, () => {
      migrate(connection, migrations, file);
    });
    // Only now: some builds of SQLite lower `synchronous` when the first statement finds a write-ahead log.
    assertDurable(opened, file);
    if (file !== IN_MEMORY) connection.guard(new DatabaseFile(resolve(file)));
    return connection;
  } catch (error) {
    database?.close();
    throw toOpenError(error, file);
  }
}

/**
 * Creates the directory of a database file when missing, and refuses a file that this process cannot write. SQLite itself
 * would open it, and only the first write would fail.
 */
function prepareFile(file: string): void {
  const directory = dirname(file);
  createDirectory(resolve(directory));
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isDirectory()) throw new StoreOpenError(`Cannot open ${file}: it is a directory.`);
  if (stats?.isFile() === false) throw new StoreOpenError(`Cannot open ${file}: it is not a regular file.`);
  // The write-ahead log and the memory that processes share are files in the same directory.
  for (const path of stats === undefined ? [directory] : [file, directory]) {
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
    } catch (cause) {
      const { code = "" } = cause as NodeJS.ErrnoException;
      throw new StoreOpenError(
        `Cannot open ${file}: this user may not read and write ${path === file ? "it" : "its directory"} (${code}).`,
        { cause },
      );
    }
  }
}

/** Creates a directory and its parents. The option `recursive` of `mkdirSync` never ends in `/proc`. */
function createDirectory(directory: string): void {
  if (existsSync(directory)) return;
  createDirectory(dirname(directory));
  try {
    mkdirSync(directory);
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Refuses another program's database before anything is written to it. */
function assertOurs(database: SqliteDatabase, file: string): void {
  // In this order: a process that creates the database at this moment commits both at once.
  const objects = readNumber(database, "select count(*) as value from sqlite_schema");
  const id = readNumber(database, "select application_id as value from pragma_application_id");
  if (id !== APPLICATION_ID && (id !== 0 || objects > 0)) {
    throw new StoreOpenError(`Cannot open ${file}: it is the database of another program.`);
  }
}

/** Refuses a damaged database before anything is written to it. SQLite itself notices damage only where it reads. */
function assertSound(database: SqliteDatabase, file: string): void {
  const pages = readNumber(database, "select page_count as value from pragma_page_count");
  const size = readNumber(database, "select page_size as value from pragma_page_size");
  if (pages * size > CHECKED_BYTES) return;
  const { quick_check: verdict } = database.prepare("pragma quick_check(1)").get() as { quick_check: string };
  if (verdict !== "ok") {
    throw new StoreOpenError(`Cannot open ${file}: the database is corrupt. Restore a backup.`);
  }
}

function readNumber(database: SqliteDatabase, sql: string): number {
  return (database.prepare(sql).get() as { value: number }).value;
}

/** Applies missing migrations, all in one transaction. */
function migrate(connection: SqliteConnection, migrations: readonly Migration[], file: string): void {
  connection.tryTransaction(() => {
    connection.exec(
      "create table if not exists schema_migrations " +
        "(version integer primary key, name text not null, checksum text not null, applied_at text not null) strict",
    );
    const applied = connection
      .prepare("select version, name, checksum from schema_migrations order by version")
      .all() as AppliedMigration[];
    const problem = findSchemaProblem(applied, migrations, "sqlite");
    if (problem !== undefined) throw new StoreOpenError(`Cannot open ${file}: ${problem}`);
    if (applied.length === 0) connection.exec(`pragma application_id = ${APPLICATION_ID}`);
    const insert = connection.prepare(
      "insert into schema_migrations (version, name, checksum, applied_at) values ($1, $2, $3, $4)",
    );
    for (const { version, name, sqlite } of migrations.slice(applied.length)) {
      for (const statement of sqlite) connection.exec(statement);
      insert.run({ 1: version, 2: name, 3: toChecksum(sqlite), 4: new Date().toISOString() });
    }
  });
}

/** Refuses a connection whose commits might not survive a power cut. */
export function assertDurable(database: Pick<SqliteDatabase, "prepare">, file: string): void {
  const { journal_mode: mode } = database.prepare("pragma journal_mode").get() as { journal_mode: string };
  const { synchronous } = database.prepare("pragma synchronous").get() as { synchronous: number };
  // https://sqlite.org/pragma.html#pragma_synchronous: 2 is FULL.
  if (synchronous !== 2 || (mode !== "wal" && file !== IN_MEMORY)) {
    throw new StoreOpenError(
      `Cannot open ${file}: commits would not be durable (journal_mode ${mode}, synchronous ${synchronous}). ` +
        "Keep the database on a local disk.",
    );
  }
}
