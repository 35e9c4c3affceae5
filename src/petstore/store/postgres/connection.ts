import { once } from "node:events";
import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient, types } from "pg";
import type { SqlDatabase, SqlParameter, Statement, Work } from "../sql/work.js";
import { StoreOpenError, StoreUnavailableError } from "../store.js";
import { InexactIntegerError, isConflict, isRowError, toStoreError } from "./errors.js";

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

type Query = (statement: Statement, values?: readonly SqlParameter[]) => Promise<readonly unknown[]>;
/** Work on one connection; `isSession` as {@link startSession} returned it. */
type ConnectionWork<T> = (query: Query, isSession: boolean) => Promise<T>;

/** Attempts at work that conflicts with other transactions. */
const ATTEMPTS = 8;
/** How long connections may take to close gracefully, in milliseconds. */
const CLOSE_MS = 1000;

/** Like the driver's own, except that the driver leaves `int8` as text. */
const getTypeParser: typeof types.getTypeParser = (type, format): unknown =>
  type === types.builtins.INT8 ? parseInteger : types.getTypeParser(type, format);

/** The configuration that all connections to the server share. Limits are not in it: poolers refuse them at the start. */
export function toClientConfig(url: string, { connectMs }: Pick<PostgresLimits, "connectMs">): ClientConfig {
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
 * @returns false behind a pooler, which reports another process ID than the server. There the next transaction may run in
 * another session of the server: settings would apply to other clients, and named statements may be unknown.
 */
export async function startSession(client: ClientBase, limits: PostgresLimits): Promise<boolean> {
  const { processID } = client as { processID?: number | null };
  const statement = {
    text:
      `select set_config('statement_timeout', '${limits.statementMs}', false), ` +
      `set_config('lock_timeout', '${limits.lockMs}', false) where pg_backend_pid() = ${processID ?? 0}`,
    query_timeout: limits.connectMs,
  };
  const { rowCount } = await client.query(statement);
  return rowCount === 1;
}

/** Returns the statements that set the limits for one transaction. */
export function toLocalLimits({ statementMs, lockMs }: PostgresLimits): string {
  return `set local statement_timeout = ${statementMs}; set local lock_timeout = ${lockMs}`;
}

/**
 * Returns the address of a database for messages, without user and password.
 * @throws {StoreOpenError} when the text is not a URL.
 */
export function toPlace(url: string): string {
  try {
    const { host, port, database = "" } = new Client({ connectionString: url });
    return `postgres://${host}${host.startsWith("/") ? "" : `:${port}`}/${database}`;
  } catch {
    // No `cause`: its message may quote the password.
    throw new StoreOpenError("Cannot read DATABASE_URL: a character of it may have to be percent-encoded.");
  }
}

/** The pool of connections. All work on it ends within the limits, whatever the server does. */
export class PostgresConnection implements SqlDatabase {
  readonly rowsPerInsert = 1000;
  readonly isRowError = isRowError;
  readonly #pool: Pool;
  readonly #limits: PostgresLimits;
  /** Connections that are a session of the server. */
  readonly #sessions = new WeakSet<ClientBase>();
  readonly #sockets = new Set<Socket>();
  readonly #running = new Set<Promise<unknown>>();
  #open = true;

  constructor(url: string, size: number, limits: PostgresLimits) {
    this.#limits = limits;
    this.#pool = new Pool({
      ...toClientConfig(url, limits),
      max: size,
      stream: () => this.#createSocket(),
      // eslint-disable-next-line @typescript-eslint/no-misused-promises -- The pool awaits it; its types do not say so.
      onConnect: async (client) => {
        if (await startSession(client, limits)) this.#sessions.add(client);
      },
    });
    // Idle connections break too; the pool replaces them.
    this.#pool.on("error", () => undefined);
    this.#pool.on("connect", (client) => client.on("error", () => undefined));
  }

  read<Row>(statement: Statement, values?: readonly SqlParameter[]): Promise<readonly Row[]> {
    return this.#attempt((query) => query(statement, values) as Promise<readonly Row[]>);
  }

  write<T>(work: () => Work<T>): Promise<T> {
    return this.#attempt(async (query, isSession) => {
      await query({ text: isSession ? "begin" : `begin; ${toLocalLimits(this.#limits)}` });
      try {
        const result = await finishWork(query, work());
        await query({ text: "commit" });
        return result;
      } catch (error) {
        // Any other error ends the connection, and the transaction with it.
        if (leavesUsable(error)) await query({ text: "rollback" });
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await Promise.allSettled(this.#running);
    await this.#pool.end();
    // A server that does not respond does not close its side either, and the sockets would keep the process alive.
    const closed = Promise.all([...this.#sockets].map((socket) => once(socket, "close")));
    await Promise.race([closed, sleep(CLOSE_MS, undefined, { ref: false })]);
    for (const socket of this.#sockets) socket.destroy();
  }

  /**
   * Settles with the outcome of `work` on one connection. Work that conflicts with other transactions is repeated, so it
   * must be one statement or one transaction.
   * @throws {StoreUnavailableError} when the server does not respond in time, and after {@link close}.
   */
  async #attempt<T>(work: ConnectionWork<T>): Promise<T> {
    if (!this.#open) throw new StoreUnavailableError("The store is closed.");
    const outcome = this.#repeat(work);
    this.#running.add(outcome);
    try {
      return await outcome;
    } catch (error) {
      throw toStoreError(error);
    } finally {
      this.#running.delete(outcome);
    }
  }

  async #repeat<T>(work: ConnectionWork<T>): Promise<T> {
    const end = performance.now() + this.#limits.connectMs + this.#limits.statementMs;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#runOnce(work, end);
      } catch (error) {
        if (!isConflict(error) || attempt === ATTEMPTS) throw error;
      }
      // Random, so that the same transactions do not conflict again.
      await sleep(Math.random() * 2 ** attempt);
    }
  }

  async #runOnce<T>(work: ConnectionWork<T>, end: number): Promise<T> {
    const client = await this.#pool.connect();
    let isHeld = true;
    const release = (usable: boolean): void => {
      if (isHeld) client.release(!usable);
      isHeld = false;
    };
    // The server's own limit does not help when the server, or the network, hangs.
    const timer = setTimeout(release, Math.max(0, end - performance.now()), false);
    try {
      const isSession = this.#sessions.has(client);
      const result = await work(toQuery(client, isSession), isSession);
      release(true);
      return result;
    } catch (error) {
      release(leavesUsable(error));
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #createSocket(): Socket {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    return socket;
  }
}

function toQuery(client: PoolClient, isSession: boolean): Query {
  return async ({ name, text }, values = []) => {
    const statement = { text, values: [...values], ...(isSession && name !== undefined && { name }) };
    const { rows } = await client.query<Record<string, unknown>>(statement);
    return rows;
  };
}

async function finishWork<T>(query: Query, work: Work<T>): Promise<T> {
  let step = work.next();
  while (step.done !== true) step = work.next(await query(step.value.statement, step.value.values));
  return step.value;
}

/** After any other error the connection is not used again, because it may be the cause. */
function leavesUsable(error: unknown): boolean {
  return isRowError(error) || isConflict(error);
}

function parseInteger(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new InexactIntegerError(`The database has an integer that is too large for JSON: ${text}.`);
}
