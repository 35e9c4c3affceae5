import { StoreOpenError, StoreUnavailableError } from "./store.js";

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

const UNUSABLE: ReadonlyMap<number, string> = new Map([
  [SQLITE.NOTADB, "it is not a SQLite database."],
  [SQLITE.CORRUPT, "the database is corrupt. Restore a backup."],
]);

/** No code at all: the driver refused to bind a value. */
const ROW_ALONE: ReadonlySet<number | undefined> = new Set([
  undefined,
  SQLITE.TOOBIG,
  SQLITE.CONSTRAINT,
  SQLITE.MISMATCH,
]);

/** Turns what means "not now" into {@link StoreUnavailableError}; anything else passes as it is. */
export function toStoreError(error: unknown): Error {
  return UNAVAILABLE.has(toResultCode(error))
    ? new StoreUnavailableError(`The database cannot answer: ${toMessage(error)}.`, { cause: error })
    : (error as Error);
}

/** Says in one line why `file` does not open. */
export function toOpenError(error: unknown, file: string): Error {
  if (error instanceof StoreOpenError) return error;
  const code = toResultCode(error);
  const reason = code === undefined ? undefined : UNUSABLE.get(code);
  if (reason !== undefined) return new StoreOpenError(`Cannot open ${file}: ${reason}`, { cause: error });
  const OpenError = UNAVAILABLE.has(code) ? StoreUnavailableError : StoreOpenError;
  return new OpenError(`Cannot open ${file}: ${toMessage(error)}.`, { cause: error });
}

/** Is it one row that was refused, with the transaction around it still open? */
export function isRowError(error: unknown): boolean {
  return ROW_ALONE.has(toResultCode(error));
}

export function isBusy(error: unknown): boolean {
  return toResultCode(error) === SQLITE.BUSY;
}

function toResultCode(error: unknown): number | undefined {
  // The low byte is the primary code; the rest says more, for example which kind of I/O error.
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
