import { DatabaseError } from "pg";
import { StoreOpenError, StoreUnavailableError } from "./store.js";

/**
 * SQLSTATEs, whole or by their class of two characters, that mean "not now".
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const UNAVAILABLE: readonly string[] = [
  "08", // connection lost or refused
  "25006", // read-only: a standby, or a primary that was demoted
  "26000", // a pooler gave a connection that did not prepare our statement
  "28", // not let in any more
  "3D000", // the database is gone
  "40", // still in conflict after every repetition, or nobody knows whether the commit was done
  "53", // disk full, out of memory, too many connections
  "55P03", // locked
  "57", // shutting down, starting up, or cancelled by a time limit
  "58", // the server's disk fails
];

/** What was wrong with the values of a row: the connection, and the rows of others, are not concerned. */
const ROW = ["22", "23"];

/** Serialization failure and deadlock: to be repeated as they were. */
const CONFLICT = ["40001", "40P01"];

/** Two processes created the same thing at once; `if not exists` does not prevent it. */
const CREATED_MEANWHILE = ["23505", "42710", "42P07"];

/** Why a connection is refused, by SQLSTATE or by Node's code. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ["28000", "the server does not let this user in"],
  ["28P01", "the server does not accept this user and password"],
  ["3D000", "the server has no such database; create it first"],
  ["53300", "the server has no connection left; lower DATABASE_POOL_SIZE"],
  ["55P03", "another transaction holds a lock"],
  ["57P03", "the server is starting up or shutting down"],
  ["ECONNREFUSED", "nothing listens there"],
  ["EAI_AGAIN", "the host's name cannot be looked up now"],
  ["ENOENT", "there is no such socket"],
  ["ENOTFOUND", "there is no host of this name"],
]);

/** Another process has kept what this one was about to; the work is to be repeated. */
export class UsedMeanwhileError extends Error {
  override readonly name = "UsedMeanwhileError";
}

/** An integer of the database that a JavaScript number cannot hold. */
export class InexactIntegerError extends RangeError {
  override readonly name = "InexactIntegerError";
}

/** Turns what means "not now" into {@link StoreUnavailableError}; anything else passes as it is. */
export function toStoreError(error: unknown): Error {
  return isUnavailable(error)
    ? new StoreUnavailableError(`The database cannot answer: ${toReason(error)}.`, { cause: error })
    : (error as Error);
}

/**
 * Says in one line why a database does not open.
 * @param place Its address without user and password.
 */
export function toOpenError(error: unknown, place: string): Error {
  if (error instanceof StoreOpenError) return error;
  const OpenError = isUnavailable(error) ? StoreUnavailableError : StoreOpenError;
  return new OpenError(`Cannot open ${place}: ${toReason(error)}.`, { cause: error });
}

/** Was a row refused for what is in it? */
export function isRowError(error: unknown): boolean {
  return hasState(error, ROW);
}

/** Would the same work succeed when it is repeated? */
export function isConflict(error: unknown): boolean {
  return error instanceof UsedMeanwhileError || hasState(error, CONFLICT);
}

/** Did another process create it first? */
export function isCreatedMeanwhile(error: unknown): boolean {
  return hasState(error, CREATED_MEANWHILE);
}

/** Everything that did not come from the server, nor from us, came from the way there. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof StoreUnavailableError) return true;
  if (error instanceof DatabaseError) return hasState(error, UNAVAILABLE);
  return !(error instanceof InexactIntegerError || error instanceof TypeError);
}

function hasState(error: unknown, states: readonly string[]): boolean {
  const { code = "" } = error instanceof DatabaseError ? error : {};
  return states.some((state) => code.startsWith(state));
}

function toReason(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  // The driver's own words, before anything is sent.
  if (message.includes("client password must be")) return "the server wants a password";
  return REASONS.get(code) ?? (message.replace(/\s+/g, " ").replace(/\.$/, "") || code);
}
