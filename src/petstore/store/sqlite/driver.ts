import { createRequire } from "node:module";
import type { SqlValue } from "../sql/work.js";
import { StoreOpenError, StoreUnavailableError } from "../store.js";

/** The part of the `node:sqlite` API in use; `@photostructure/sqlite` has the same. */
export interface SqliteDriver {
  readonly DatabaseSync: new (file: string) => SqliteDatabase;
}

export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteStatement {
  /** Returns the first row. Write with it only within a transaction: it does not report whether the statement completed. */
  get(parameters?: SqliteParameters): unknown;
  all(parameters?: SqliteParameters): unknown[];
  run(parameters?: SqliteParameters): unknown;
}

/** `{ 1: value }` binds `$1`, so that SQLite and PostgreSQL share statements. */
export type SqliteParameters = Readonly<Record<number, SqlValue>>;

const OPTIONAL_DEPENDENCY = "@photostructure/sqlite";

/** Sources of the driver, best first; each returns undefined or throws when it has none. */
const SOURCES: readonly (() => unknown)[] = [
  () => process.getBuiltinModule("node:sqlite"),
  () => createRequire(import.meta.url)(OPTIONAL_DEPENDENCY) as unknown,
];

/**
 * Loads the SQLite driver: `node:sqlite` where Node.js has it (22.14 or newer), otherwise the optional dependency.
 * @throws {StoreOpenError} when neither is available.
 */
export function loadSqliteDriver(sources = SOURCES): SqliteDriver {
  let cause: unknown;
  for (const load of sources) {
    try {
      const driver = load();
      if (driver !== undefined) return driver as SqliteDriver;
    } catch (error) {
      cause = error;
    }
  }
  throw new StoreOpenError(
    `Cannot load SQLite: Node.js ${process.version} has no node:sqlite and ${OPTIONAL_DEPENDENCY} does not load. ` +
      'Use Node.js 22.14 or newer, or run "npm install --include=optional".',
    { cause },
  );
}

/** Primary result codes by name. @see https://sqlite.org/rescode.html */
const SQLITE = {
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  PROTOCOL: 15,
  TOOBIG: 18,
  CONSTRAINT: 19,
  MISMATCH: 20,
  NOTADB: 26,
} as const;

const UNAVAILABLE: ReadonlySet<number | undefined> = new Set([
  SQLITE.BUSY,
  SQLITE.LOCKED,
  SQLITE.READONLY,
  SQLITE.IOERR,
  SQLITE.FULL,
  SQLITE.CANTOPEN,
  SQLITE.PROTOCOL,
]);

const UNUSABLE: ReadonlyMap<number | undefined, string> = new Map([
  [SQLITE.NOTADB, "it is not a SQLite database."],
  [SQLITE.CORRUPT, "the database is corrupt. Restore a backup."],
]);

/** Undefined stands for a value that the driver refused to bind. */
const ROW_ERRORS: ReadonlySet<number | undefined> = new Set([
  undefined,
  SQLITE.TOOBIG,
  SQLITE.CONSTRAINT,
  SQLITE.MISMATCH,
]);

/** Converts temporary failures to {@link StoreUnavailableError}; returns anything else unchanged. */
export function toStoreError(error: unknown): Error {
  return UNAVAILABLE.has(toResultCode(error))
    ? new StoreUnavailableError(`The database is unavailable: ${toMessage(error)}.`, { cause: error })
    : (error as Error);
}

/** Converts a failure to open `file` to an error whose message is one line. */
export function toOpenError(error: unknown, file: string): Error {
  if (error instanceof StoreOpenError) return error;
  const code = toResultCode(error);
  const reason = UNUSABLE.get(code) ?? `${toMessage(error)}.`;
  const OpenError = UNAVAILABLE.has(code) ? StoreUnavailableError : StoreOpenError;
  return new OpenError(`Cannot open ${file}: ${reason}`, { cause: error });
}

/** Tests whether a single row was refused and its transaction is still open. */
export function isRowError(error: unknown): boolean {
  return ROW_ERRORS.has(toResultCode(error));
}

export function isBusy(error: unknown): boolean {
  return toResultCode(error) === SQLITE.BUSY;
}

function toResultCode(error: unknown): number | undefined {
  // The low byte is the primary code; the other bytes are details, such as the kind of I/O error.
  return typeof error === "object" &&
    error !== null &&
    "errcode" in error &&
    typeof error.errcode === "number"
    ? error.errcode & 0xff
    : undefined;
}

function toMessage(error: unknown): string {
  return (error as Error).message;
}
