import { createRequire } from "node:module";
import { StoreOpenError } from "./store.js";

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
  /** First row. It ends the statement without reporting how that went: never write with it outside a transaction. */
  get(parameters?: SqliteParameters): unknown;
  all(parameters?: SqliteParameters): unknown[];
  run(parameters?: SqliteParameters): unknown;
}

/** `{ 1: value }` binds `$1`, so that PostgreSQL, where `$1` is positional, can share the text. */
export type SqliteParameters = Readonly<Record<number, SqliteValue>>;

export type SqliteValue = string | number | Uint8Array | null;

/** Binds values to `$1`, `$2`, … */
export function bind(values: readonly SqliteValue[]): SqliteParameters {
  return Object.fromEntries(values.map((value, index) => [index + 1, value]));
}

const OPTIONAL_DEPENDENCY = "@photostructure/sqlite";

/** Where a driver may come from, best first; each gives undefined or throws when it has none. */
const SOURCES: readonly (() => unknown)[] = [
  () => process.getBuiltinModule("node:sqlite"),
  () => createRequire(import.meta.url)(OPTIONAL_DEPENDENCY) as unknown,
];

/**
 * The SQLite driver: `node:sqlite` where Node.js has it (22.14 or newer), else the optional dependency.
 * @throws {StoreOpenError} when there is neither.
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
