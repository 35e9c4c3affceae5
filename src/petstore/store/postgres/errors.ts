import { DatabaseError } from "pg";
import { StoreOpenError, StoreUnavailableError } from "../store.js";

/**
 * Temporary failures: SQLSTATEs, whole or by the two characters of their class.
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const UNAVAILABLE: readonly string[] = [
  "08", // connection lost or refused
  "25006", // read-only: a standby, or a primary that was demoted
  "26000", // a pooler gave a connection that did not prepare our statement
  "28", // access revoked
  "3D000", // the database is gone
  "42501", // privileges revoked
  "42P01", // a table was dropped
  "40", // still in conflict after every attempt, or unknown whether the commit was done
  "53", // disk full, out of memory, too many connections
  "55P03", // locked
  "57", // shutting down, starting up, or cancelled by a time limit
  "58", // the server's disk fails
];

/** Citus reports some lost connections to its workers as internal errors (XX000), which are otherwise bugs. */
const LOST_WORKER = /^(failure on connection marked as essential|no active placements were found)/;

/** A row's values were refused: the connection and other rows are not affected. */
const ROW = ["22", "23"];

/** Serialization failure and deadlock: repeating the same work may succeed. */
const CONFLICT = ["40001", "40P01"];

/** Two processes created the same object at once; `if not exists` does not prevent it. */
const CREATED_CONCURRENTLY = ["23505", "42710", "42P07"];

/** The reason why a connection is refused, by SQLSTATE or by Node's code. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ["25006", "the server is read-only; it may be a standby"],
  ["28000", "the server does not allow this user to connect"],
  ["28P01", "the server does not accept this user and password"],
  ["3D000", "the server has no such database; create it first"],
  ["53300", "the server has no connection left; lower DATABASE_POOL_SIZE"],
  ["55P03", "another transaction holds a lock"],
  ["57P03", "the server is starting up or shutting down"],
  ["ECONNREFUSED", "nothing listens there"],
  ["EAI_AGAIN", "the host name cannot be resolved now"],
  ["ENOENT", "there is no such socket"],
  ["ENOTFOUND", "the host name cannot be resolved"],
]);

/** Another process stored the same key first; the work has to be repeated. */
export class UsedConcurrentlyError extends Error {
  override readonly name = "UsedConcurrentlyError";
}

/** An integer of the database that a JavaScript number cannot hold. */
export class InexactIntegerError extends RangeError {
  override readonly name = "InexactIntegerError";
}

/** Converts temporary failures to {@link StoreUnavailableError}; returns anything else unchanged. */
export function toStoreError(error: unknown): Error {
  return isUnavailable(error)
    ? new StoreUnavailableError(`The database is unavailable: ${toReason(error)}.`, { cause: error })
    : (error as Error);
}

/**
 * Converts a failure to open a database to an error whose message is one line.
 * @param place Its address without user and password.
 */
export function toOpenError(error: unknown, place: string): Error {
  if (error instanceof StoreOpenError) return error;
  const OpenError = isUnavailable(error) ? StoreUnavailableError : StoreOpenError;
  return new OpenError(`Cannot open ${place}: ${toReason(error)}.`, { cause: error });
}

/** Tests whether a row was refused because of its values. */
export function isRowError(error: unknown): boolean {
  return hasState(error, ROW);
}

/** Tests whether the same work may succeed when it is repeated. */
export function isConflict(error: unknown): boolean {
  return error instanceof UsedConcurrentlyError || hasState(error, CONFLICT);
}

/** Tests whether the server refuses to write: a standby, or a primary that was demoted. */
export function isReadOnly(error: unknown): boolean {
  return hasState(error, ["25006"]);
}

/** Tests whether another process created the same object first. */
export function isCreatedConcurrently(error: unknown): boolean {
  return hasState(error, CREATED_CONCURRENTLY);
}

/** An error that comes neither from the server nor from our code comes from the network. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof StoreUnavailableError) return true;
  // A fatal error ends the connection, whatever its code: it concerns the server, or the pooler, rather than the statement.
  if (error instanceof DatabaseError)
    return error.severity === "FATAL" || hasState(error, UNAVAILABLE) || LOST_WORKER.test(error.message);
  return !(error instanceof InexactIntegerError || error instanceof TypeError);
}

function hasState(error: unknown, states: readonly string[]): boolean {
  const { code = "" } = error instanceof DatabaseError ? error : {};
  return states.some((state) => code.startsWith(state));
}

/** Describes a failure in one line without a full stop. */
export function toReason(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  // The driver's own error, thrown before anything is sent.
  if (message.includes("client password must be")) return "the server requires a password";
  return REASONS.get(code) ?? (message.replace(/\s+/g, " ").replace(/\.$/, "") || code);
}
