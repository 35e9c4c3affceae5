import { once } from "node:events";
import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, type ClientConfig, Pool, type PoolClient } from "pg";
import type { SqlDatabase, SqlParameter, Statement, Work } from "../sql/work.js";
import { StoreUnavailableError } from "../store.js";
import { isConflict, isReadOnly, isRowError, toStoreError } from "./errors.js";
import type { Server, Servers } from "./servers.js";
import { type PostgresLimits, startSession, toClientConfig, toLocalLimits } from "./session.js";

type Query = (statement: Statement, values?: readonly SqlParameter[]) => Promise<readonly unknown[]>;
/** Work on one connection; `isSession` as {@link startSession} returned it. */
type ConnectionWork<T> = (query: Query, isSession: boolean) => Promise<T>;

/** The properties of a connection. */
interface Connected {
  readonly server: Server;
  /** Result of {@link startSession}. */
  isSession: boolean;
}

/** Attempts at work that conflicts with other transactions. */
const ATTEMPTS = 8;
/** Longest pause between two such attempts, in milliseconds. */
const MAX_PAUSE_MS = 500;
/** How long connections may take to close gracefully, in milliseconds. */
const CLOSE_MS = 1000;

/** The pool of connections. All work on it ends within the limits, whatever the server does. */
export class PostgresConnection implements SqlDatabase {
  readonly rowsPerInsert = 1000;
  readonly isRowError = isRowError;
  readonly #pool: Pool;
  readonly #limits: PostgresLimits;
  readonly #size: number;
  readonly #servers: Servers;
  readonly #connected = new WeakMap<object, Connected>();
  readonly #sockets = new Set<Socket>();
  readonly #running = new Set<Promise<unknown>>();
  #open = true;

  constructor(servers: Servers, size: number, limits: PostgresLimits) {
    this.#limits = limits;
    this.#size = size;
    this.#servers = servers;
    this.#pool = new Pool({
      max: size,
      connectionTimeoutMillis: limits.connectMs,
      Client: this.#createClientClass(),
      // eslint-disable-next-line @typescript-eslint/no-misused-promises -- The pool awaits it; its types do not say so.
      onConnect: async (client) => {
        const end = performance.now() + limits.connectMs;
        await servers.assertSuitable(client, end);
        const connected = this.#connected.get(client);
        if (connected !== undefined) connected.isSession = await startSession(client, limits, end);
      },
    });
    // Idle connections break too; the pool replaces them.
    this.#pool.on("error", () => undefined);
    this.#pool.on("connect", (client) => client.on("error", () => undefined));
  }

  /** Address of the database for messages, without user and password. */
  get place(): string {
    return this.#servers.place;
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
      const start = performance.now();
      try {
        return await this.#runOnce(work, end);
      } catch (error) {
        if (!isConflict(error) || attempt === ATTEMPTS) throw error;
      }
      // Random, so that the same transactions do not conflict again: on a slow server they take longer to be over.
      const took = Math.max(1, performance.now() - start);
      await sleep(Math.min(Math.random() * 2 ** attempt * took, MAX_PAUSE_MS));
    }
  }

  async #runOnce<T>(work: ConnectionWork<T>, end: number): Promise<T> {
    const { client, server, isSession } = await this.#connect();
    let isHeld = true;
    const release = (usable: boolean): void => {
      if (isHeld) client.release(!usable);
      isHeld = false;
    };
    // The server's own limit does not help when the server, or the network, hangs.
    const timer = setTimeout(
      () => {
        this.#servers.doubt(server);
        release(false);
      },
      Math.max(0, end - performance.now()),
    );
    try {
      const result = await work(toQuery(client, isSession), isSession);
      release(true);
      return result;
    } catch (error) {
      if (isReadOnly(error)) this.#servers.doubt(server);
      release(leavesUsable(error));
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Takes a connection to a suitable server from the pool. Connections to a server that was in use before are closed.
   * Takes at most `connectMs` for a search and twice as long for a new connection: one that fails soon is tried again.
   */
  async #connect(): Promise<Connected & { readonly client: PoolClient }> {
    const lastRetry = performance.now() + this.#limits.connectMs / 2;
    for (let isRetry = false; ;) {
      const server = await this.#servers.find(this.#limits.connectMs);
      try {
        const client = await this.#pool.connect();
        const connected = this.#connected.get(client);
        if (connected?.server === server) return { ...connected, client };
        client.release(true);
      } catch (error) {
        if (this.#pool.totalCount >= this.#size || this.#servers.isFixed) throw error;
        this.#servers.doubt(server);
        if (isRetry || performance.now() > lastRetry) throw error;
        isRetry = true;
      }
    }
  }

  /** Returns the class with which the pool connects to the server that is in use at that moment. */
  #createClientClass(): new () => Client {
    const connect = (): readonly [ClientConfig, Server] => {
      const server = this.#servers.current;
      const config = toClientConfig(server.url, this.#limits.connectMs);
      return [{ ...config, stream: () => this.#createSocket() }, server];
    };
    const connected = this.#connected;
    return class extends Client {
      constructor() {
        const [config, server] = connect();
        super(config);
        connected.set(this, { server, isSession: false });
      }
    };
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
