import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type AppliedMigration, findSchemaProblem, type Migration, toChecksum } from "./migrations.js";
import { loadSqliteDriver, type SqliteDatabase, type SqliteStatement } from "./sqlite-driver.js";
import { isBusy, toOpenError, toStoreError } from "./sqlite-errors.js";
import { prepareFile } from "./sqlite-file.js";
import { StoreOpenError, StoreUnavailableError } from "./store.js";

/** `TENO` in ASCII: tells our databases from other programs'. @see https://sqlite.org/pragma.html#pragma_application_id */
const APPLICATION_ID = 0x54454e4f;

/** Name of a database that is no file. */
export const IN_MEMORY = ":memory:";

/** Size, in bytes, up to which a database is read from end to end before it is used; that takes about half a second. */
const CHECKED_BYTES = 256 * 2 ** 20;

/** Pause between two attempts to get the write lock, in milliseconds. */
const RETRY_MS = 2;

export interface SqliteConnectionOptions {
  /**
   * How long, in milliseconds, to wait for a lock that another process holds. The event loop waits with it: the driver
   * is synchronous.
   */
  readonly busyTimeoutMs: number;
  readonly migrations: readonly Migration[];
}

/**
 * Opens a database that is ours, durable and up to date; creates the file and its directory when missing.
 * @param file Path relative to the working directory, or `:memory:`.
 * @throws {StoreOpenError} when the file cannot be used as it is; the message names it.
 * @throws {StoreUnavailableError} when it cannot be opened now.
 */
export async function openConnection(
  file: string,
  options: SqliteConnectionOptions,
): Promise<SqliteConnection> {
  const { DatabaseSync } = loadSqliteDriver();
  let database: SqliteDatabase | undefined;
  try {
    if (file !== IN_MEMORY) prepareFile(file);
    // An absolute path, because the driver would read `file:…` as a URI.
    database = new DatabaseSync(file === IN_MEMORY ? file : resolve(file));
    database.exec(`pragma busy_timeout = ${options.busyTimeoutMs}`);
    assertOurs(database, file);
    assertSound(database, file);
    await enableWriteAheadLog(database, options.busyTimeoutMs);
    database.exec("pragma synchronous = full");
    database.exec("pragma foreign_keys = on");
    const connection = new SqliteConnection(database, options.busyTimeoutMs);
    migrate(connection, options.migrations, file);
    // Only now: some builds of SQLite lower `synchronous` when the first statement finds a write-ahead log.
    assertDurable(database, file);
    return connection;
  } catch (error) {
    database?.close();
    throw toOpenError(error, file);
  }
}

/** One connection. The driver is synchronous, so whatever runs in one turn of the event loop is not interleaved. */
export class SqliteConnection {
  readonly #database: SqliteDatabase;
  /** How long, in milliseconds, to wait for a lock that another process holds. */
  readonly busyTimeoutMs: number;
  #open = true;

  constructor(database: SqliteDatabase, busyTimeoutMs: number) {
    this.#database = database;
    this.busyTimeoutMs = busyTimeoutMs;
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  prepare(sql: string): SqliteStatement {
    return this.#database.prepare(sql);
  }

  /** Settles with the outcome of `work`; rejects without running it when the connection is closed. */
  attempt<T>(work: () => T): Promise<T> {
    return settle(() => {
      this.assertOpen();
      return work();
    });
  }

  /** Runs `work`, which must not be asynchronous. What it wrote is durable when this returns and undone when it throws. */
  transaction<T>(work: () => T): T {
    this.#begin();
    return this.#finish(work);
  }

  /** Like {@link transaction}, but fails at once, as busy, when another process holds the write lock. */
  tryTransaction<T>(work: () => T): T {
    this.#database.exec("pragma busy_timeout = 0");
    try {
      this.#begin();
    } finally {
      this.#database.exec(`pragma busy_timeout = ${this.busyTimeoutMs}`);
    }
    return this.#finish(work);
  }

  /**
   * Settles with the outcome of `work` in a transaction, once no other process writes. The driver would stop the event loop
   * until then. `work` runs again when it was too late.
   */
  async transactionWhenFree<T>(work: () => T): Promise<T> {
    const deadline = performance.now() + this.busyTimeoutMs;
    for (;;) {
      try {
        this.assertOpen();
        return this.tryTransaction(work);
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw toStoreError(error);
      }
      await setTimeout(RETRY_MS);
    }
  }

  /** @throws {StoreUnavailableError} after {@link close}. */
  assertOpen(): void {
    if (!this.#open) throw new StoreUnavailableError("The store is closed.");
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    try {
      // @photostructure/sqlite 1.2.1 leaves the log behind while statements live, and a copy of the file alone would
      // lack what is only there.
      this.#database.exec("pragma wal_checkpoint(truncate)");
    } finally {
      this.#database.close();
    }
  }

  #begin(): void {
    // `immediate` takes the write lock first: a reader that turns writer can fail at once, whatever the timeout.
    this.#database.exec("begin immediate");
  }

  #finish<T>(work: () => T): T {
    try {
      const result = work();
      this.#database.exec("commit");
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  #rollBack(): void {
    try {
      this.#database.exec("rollback");
    } catch {
      // SQLite has already rolled back, as it does when the disk is full or fails.
      // https://sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction
    }
  }
}

/** Settles with the outcome of `work`, the driver's errors converted. */
export function settle<T>(work: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    try {
      resolve(work());
    } catch (error) {
      reject(toStoreError(error));
    }
  });
}

/** Refuses another program's database before anything is written to it. */
function assertOurs(database: SqliteDatabase, file: string): void {
  // In this order: a process that creates the database at this moment commits both at once.
  const { objects } = database.prepare("select count(*) as objects from sqlite_schema").get() as {
    objects: number;
  };
  const { application_id: id } = database.prepare("pragma application_id").get() as {
    application_id: number;
  };
  if (id !== APPLICATION_ID && (id !== 0 || objects > 0)) {
    throw new StoreOpenError(`Cannot open ${file}: it is the database of another program.`);
  }
}

/** Refuses a damaged database before anything is written to it: SQLite itself notices damage only where it comes to read. */
function assertSound(database: SqliteDatabase, file: string): void {
  const { page_count: pages } = database.prepare("pragma page_count").get() as { page_count: number };
  const { page_size: size } = database.prepare("pragma page_size").get() as { page_size: number };
  if (pages * size > CHECKED_BYTES) return;
  const { quick_check: verdict } = database.prepare("pragma quick_check(1)").get() as { quick_check: string };
  if (verdict !== "ok") {
    throw new StoreOpenError(`Cannot open ${file}: the database is corrupt. Restore a backup.`);
  }
}

/** When two processes create a database at once, SQLite may refuse this with "locked" without waiting for its timeout. */
async function enableWriteAheadLog(database: SqliteDatabase, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      database.exec("pragma journal_mode = wal");
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    await setTimeout(10);
  }
}

function migrate(connection: SqliteConnection, migrations: readonly Migration[], file: string): void {
  connection.transaction(() => {
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
    const remember = connection.prepare(
      "insert into schema_migrations (version, name, checksum, applied_at) values ($1, $2, $3, $4)",
    );
    for (const { version, name, sqlite } of migrations.slice(applied.length)) {
      for (const statement of sqlite) connection.exec(statement);
      remember.run({ 1: version, 2: name, 3: toChecksum(sqlite), 4: new Date().toISOString() });
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
