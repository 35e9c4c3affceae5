import { type ClientBase, type ClientConfig, types } from "pg";
import { InexactIntegerError } from "./errors.js";

/**
 * Time limits in milliseconds. No call takes longer than `connectMs` and `statementMs` together, except a creation
 * that waits for earlier ones.
 */
export interface PostgresLimits {
  /** For a connection: a free one of the pool or a new one. */
  readonly connectMs: number;
  /** For a statement on the server. */
  readonly statementMs: number;
  /** For a lock that another transaction holds. */
  readonly lockMs: number;
}

/** Like the driver's own, except that the driver leaves `int8` as text. */
const getTypeParser: typeof types.getTypeParser = (type, format): unknown =>
  type === types.builtins.INT8 ? parseInteger : types.getTypeParser(type, format);

/** The configuration that all connections to the server share. Limits are not in it: poolers refuse them at the start. */
export function toClientConfig(url: string, connectMs: number): ClientConfig {
  return {
    connectionString: url,
    application_name: "petstore",
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    types: { getTypeParser },
  };
}

/**
 * Sets the limits for all statements of a new connection, if the connection is a session of the server.
 * @param end End of the wait, in the time of `performance.now()`.
 * @returns false behind a pooler, which reports another process ID than the server. There the next transaction may run in
 * another session of the server: settings would apply to other clients, and named statements may be unknown.
 */
export async function startSession(
  client: ClientBase,
  limits: PostgresLimits,
  end = performance.now() + limits.connectMs,
): Promise<boolean> {
  const { processID } = client as { processID?: number | null };
  const statement = {
    text:
      `select set_config('statement_timeout', '${limits.statementMs}', false), ` +
      `set_config('lock_timeout', '${limits.lockMs}', false) where pg_backend_pid() = ${processID ?? 0}`,
    ...toTimeout(end),
  };
  const { rowCount } = await client.query(statement);
  return rowCount === 1;
}

/** Limits a statement to the time until `end`, in the time of `performance.now()`. */
export function toTimeout(end: number): { readonly query_timeout: number } {
  return { query_timeout: Math.max(1, Math.ceil(end - performance.now())) };
}

/** Returns the statements that set the limits for one transaction. */
export function toLocalLimits({ statementMs, lockMs }: PostgresLimits): string {
  return `set local statement_timeout = ${statementMs}; set local lock_timeout = ${lockMs}`;
}

function parseInteger(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new InexactIntegerError(`The database has an integer that is too large for JSON: ${text}.`);
}
