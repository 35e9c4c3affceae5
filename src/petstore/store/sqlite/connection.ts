import { setTimeout } from "node:timers/promises";
import type { SqlDatabase, SqlParameter, SqlValue, Statement, Work } from "../sql/work.js";
import { StoreUnavailableError } from "../store.js";
import type { DatabaseFile } from "./database-file.js";
import {
  isBusy,
  isCorrupt,
  isRowError,
  type SqliteDatabase,
  type SqliteParameters,
  type SqliteStatement,
  toStoreError,
} from "./driver.js";

/** Pause between two attempts to get the write lock, in milliseconds: about as long as another process holds it. */
const RETRY_MS = 1;

/** The one connection. Its driver is synchronous, so code that runs in one turn of the event loop is not interleaved. */
export class SqliteConnection implements SqlDatabase {
  readonly rowsPerInsert = 1;
  readonly isRowError = isRowError;
  readonly #database: SqliteDatabase;
  readonly #busyTimeoutMs: number;
  /** Statements by text. */
  readonly #prepared = new Map<string, SqliteStatement>();
  #open = true;
  #file: DatabaseFile | undefined;

  /** @param busyTimeoutMs How long to wait for a lock that another process holds, in milliseconds. */
  constructor(database: SqliteDatabase, busyTimeoutMs: number) {
    this.#database = database;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  /** Refuses all commits from now on that would not be in the files at the database's path. */
  guard(file: DatabaseFile): void {
    this.#file = file;
  }

  /** Tests whether commits would be in the files at the database's path. */
  isIntact(): boolean {
    try {
      this.#file?.assertIntact();
      return true;
    } catch {
      return false;
    }
  }

  /** Refuses all commits from now on. */
  markCorrupt(): void {
    this.#file?.markCorrupt();
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  prepare(sql: string): SqliteStatement {
    return this.#database.prepare(sql);
  }

  read<Row>(statement: Statement, values: readonly SqlParameter[] = []): Promise<readonly Row[]> {
    return settle(() => {
      this.#assertOpen();
      try {
        return this.#execute(statement, toParameters(values)) as readonly Row[];
      } catch (error) {
        if (isCorrupt(error)) this.markCorrupt();
        throw error;
      }
    });
  }

  async write<T>(work: () => Work<T>): Promise<T> {
    try {
      return await whenFree(this.#busyTimeoutMs, () => {
        this.#assertOpen();
        return this.tryTransaction(() => this.#finishWork(work()));
      });
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /**
   * Runs `work`, which must be synchronous, in a transaction: durable when this returns, undone when it throws. Fails at once,
   * as busy, when another process holds the write lock.
   */
  tryTransaction<T>(work: () => T): T {
    this.#database.exec("pragma busy_timeout = 0");
    try {
      // `immediate` takes the write lock first: a reader that turns writer can fail at once, whatever the timeout.
      this.#database.exec("begin immediate");
    } finally {
      this.#database.exec(`pragma busy_timeout = ${this.#busyTimeoutMs}`);
    }
    try {
      this.#file?.assertIntact();
      const result = work();
      this.#database.exec("commit");
      this.#file?.assertLogged();
      return result;
    } catch (error) {
      if (isCorrupt(error)) this.markCorrupt();
      this.#rollBack();
      throw error;
    }
  }

  close(): Promise<void> {
    return settle(() => {
      if (!this.#open) return;
      this.#open = false;
      try {
        // @photostructure/sqlite 1.2.1 leaves the log behind while statements live, and a copy of the file alone would
        // lack what is only in the log.
        this.#database.exec("pragma wal_checkpoint(truncate)");
      } catch (error) {
        // If the disk is full, the log stays, and the next start reads it.
        if (isCorrupt(error)) throw error;
      } finally {
        this.#database.close();
        this.#file?.close();
      }
    });
  }

  #assertOpen(): void {
    if (!this.#open) throw new StoreUnavailableError("The store is closed.");
  }

  #finishWork<T>(work: Work<T>): T {
    let step = work.next();
    while (step.done !== true) {
      const { statement, values } = step.value;
      step = work.next(this.#execute(statement, toParameters(values)));
    }
    return step.value;
  }

  /** Only a `select` returns several rows. `all` is slower, and in @photostructure/sqlite 1.2.1 its errors lack their code. */
  #execute(statement: Statement, parameters: SqliteParameters): readonly unknown[] {
    const prepared = this.#toPrepared(statement);
    if (statement.isSingle !== true && statement.text.startsWith("select")) return prepared.all(parameters);
    const row = prepared.get(parameters);
    return row === undefined ? [] : [row];
  }

  #toPrepared({ name, text }: Statement): SqliteStatement {
    const known = this.#prepared.get(text);
    if (known !== undefined) return known;
    const prepared = this.prepare(text);
    if (name !== undefined) this.#prepared.set(text, prepared);
    return prepared;
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

/**
 * Runs `work` until no other process holds the lock that it needs, for at most about `timeoutMs`. It is repeated rather than
 * left waiting in the driver, which would block the event loop.
 */
export async function whenFree<T>(timeoutMs: number, work: () => T): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    await setTimeout(RETRY_MS);
  }
}

/** Settles with the outcome of `work`, with the driver's errors converted. */
function settle<T>(work: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    try {
      resolve(work());
    } catch (error) {
      reject(toStoreError(error));
    }
  });
}

function toParameters(values: readonly SqlParameter[]): SqliteParameters {
  const parameters: Record<number, SqlValue> = {};
  let number = 0;
  for (const value of values) parameters[(number += 1)] = value as SqlValue;
  return parameters;
}
