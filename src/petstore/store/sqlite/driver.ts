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

/** Returns the name or path by which a thread can load the same driver with `require`. */
export function findDriverModule(): string {
  return process.getBuiltinModule("node:sqlite") === undefined
    ? createRequire(import.meta.url).resolve(OPTIONAL_DEPENDENCY)
    : "node:sqlite";
}

const BUSY = 5;

/** Primary result codes of temporary failures. @see https://sqlite.org/rescode.html */
const UNAVAILABLE: ReadonlySet<number | undefined> = new Set([
  ...[BUSY, 6], // locked
  8, // read-only
  10, // the disk fails
  13, // the disk is full
  14, // the file cannot be opened
  15, // the locks of the file cannot be used
]);

const UNUSABLE: ReadonlyMap<number | undefined, string> = new Map([
  [11, "the database is corrupt. Restore a backup."],
  [26, "it is not a SQLite database."],
]);

const ROW_ERRORS: ReadonlySet<number | undefined> = new Set([
  undefined, // the driver does not bind the value
  18, // the value is too long
  19, // a constraint
  20, // the value has another type
]);

/** Converts temporary failures and damage to {@link StoreUnavailableError}; returns anything else unchanged. */
export function toStoreError(error: unknown): Error {
  return UNAVAILABLE.has(toResultCode(error)) || isCorrupt(error)
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

/** Tests whether SQLite came across damage: not a page of a database where there should be one. */
export function isCorrupt(error: unknown): boolean {
  return UNUSABLE.has(toResultCode(error));
}

export function isBusy(error: unknown): boolean {
  return toResultCode(error) === BUSY;
}

function toResultCode(error: unknown): number | undefined {
  const { errcode } = error as { readonly errcode?: unknown };
  // The low byte is the primary code; the other bytes are details, such as the kind of I/O error.
  return typeof errcode === "number" ? errcode & 0xff : undefined;
}

function toMessage(error: unknown): string {
  return (error as Error).message;
}
