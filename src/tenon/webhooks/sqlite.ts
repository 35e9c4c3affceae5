import { CLAIM, type EventMemory, type EventMemoryOptions, KEEP } from "./receive/event-memory.js";
import type { DeadEvent, EventStore, StoredEvent } from "./send/event-store.js";

/**
 * The part of a SQLite connection that is used: `DatabaseSync` of `node:sqlite`, or of `@photostructure/sqlite` on Node.js 20.
 * @example
 * const database: SqliteConnection = new DatabaseSync("events.db");
 */
export interface SqliteConnection {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
}

/**
 * A statement of a {@link SqliteConnection}.
 * @example
 * const statement: SqliteStatement = database.prepare("select count(*) as count from tenon_events");
 */
export interface SqliteStatement {
  all(...values: (string | number | null)[]): unknown[];
  run(...values: (string | number | null)[]): { readonly changes: number | bigint };
}

/** @throws {Error} when the setting did not apply: the default of a write-ahead log loses the last commits in a power cut. */
function makeDurable(database: SqliteConnection): void {
  database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 5000;");
  const [row] = database.prepare("pragma synchronous").all() as { readonly synchronous?: number }[];
  if (row?.synchronous !== 2) throw new Error("The SQLite connection does not accept `synchronous = full`");
}

/**
 * The connections of stores and memories. The statements of `@photostructure/sqlite` do not keep their connection: it would be closed by
 * the garbage collector when only they are left.
 */
const connections = new WeakMap<object, SqliteConnection>();

function keepConnection<Owner extends object>(owner: Owner, database: SqliteConnection): Owner {
  connections.set(owner, database);
  return owner;
}

const EVENTS = `
create table if not exists tenon_events (
  id text primary key,
  name text not null,
  method text not null,
  url text not null,
  headers text not null,
  body text not null,
  receiver text,
  created_at integer not null,
  attempts integer not null,
  due_at integer not null,
  reason text
) strict;
create index if not exists tenon_events_due on tenon_events (due_at) where reason is null;
`;

/**
 * Creates a store of events in a SQLite database, in the table `tenon_events`. Its calls are synchronous: on the connection of your
 * own tables, an event that you send within a transaction is stored if the transaction is. Do not await within it.
 *
 * The connection is set to a write-ahead log and full synchronization, so that a stored event survives a power cut.
 * @example
 * const sender = createWebhookSender(webhooks, { secret, store: createSqliteEventStore(new DatabaseSync("events.db")) });
 */
export function createSqliteEventStore(database: SqliteConnection): EventStore {
  makeDurable(database);
  database.exec(EVENTS);
  const add = database.prepare(
    "insert into tenon_events (id, name, method, url, headers, body, receiver, created_at, attempts, due_at)" +
      " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  // A claimed event is due when the claim ends.
  const claim = database.prepare(
    "update tenon_events set due_at = ? where id in (select id from tenon_events" +
      " where reason is null and due_at <= ? order by due_at, created_at limit ?) returning *",
  );
  const remove = database.prepare("delete from tenon_events where id = ?");
  const release = database.prepare("update tenon_events set due_at = ? where id = ?");
  const retry = database.prepare("update tenon_events set due_at = ?, attempts = attempts + 1 where id = ?");
  const bury = database.prepare("update tenon_events set reason = ?, attempts = attempts + 1 where id = ?");
  const listDead = database.prepare(
    "select * from tenon_events where reason is not null order by created_at, id limit ?",
  );
  const revive = database.prepare(
    "update tenon_events set reason = null, attempts = 0, due_at = ? where id = ? and reason is not null",
  );
  const store: EventStore = {
    add: ({ id, name, method, url, headers, body, receiver, createdAt, attempts }) => {
      // The drivers read a text up to its first NUL.
      if (body.includes("\0"))
        throw new TypeError(`The body of "${name}" has a NUL character, which SQLite does not keep`);
      const text = JSON.stringify(headers);
      add.run(id, name, method, url, text, body, receiver ?? null, createdAt, attempts, createdAt);
    },
    claim: ({ now, until, limit }) =>
      claim
        .all(until, now, limit)
        .map(toEvent)
        .sort((one, other) => one.createdAt - other.createdAt),
    remove: (id) => {
      remove.run(id);
    },
    retry: (id, at) => {
      retry.run(at, id);
    },
    release: (id, at) => {
      release.run(at, id);
    },
    bury: (id, reason) => {
      bury.run(reason, id);
    },
    listDead: (limit) => listDead.all(limit).map(toEvent) as DeadEvent[],
    revive: (id, at) => Number(revive.run(at, id).changes) > 0,
  };
  return keepConnection(store, database);
}

function toEvent(row: unknown): StoredEvent {
  const columns = row as StoredEvent & { headers: string; created_at: number; reason: string | null };
  const { id, name, method, url, body, attempts, receiver, reason } = columns;
  return {
    ...{ id, name, method, url, body, attempts },
    headers: JSON.parse(columns.headers) as StoredEvent["headers"],
    createdAt: columns.created_at,
    receiver: receiver ?? undefined,
    ...(reason !== null && { reason }),
  };
}

const HANDLED = `
create table if not exists tenon_handled_events (
  id text primary key,
  is_done integer not null,
  until integer not null
) strict, without rowid;
create index if not exists tenon_handled_events_until on tenon_handled_events (until);
`;

/**
 * Creates a memory of handled events in a SQLite database, in the table `tenon_handled_events`. It survives the process, and
 * several processes may share it.
 * @example
 * const memory = createSqliteEventMemory(new DatabaseSync("received.db"), { max: 1_000_000 });
 * app.use("/hooks", createWebhooks(webhooks, { secret, handlers: {}, unknown, memory }));
 */
export function createSqliteEventMemory(
  database: SqliteConnection,
  { max = 1_000_000, keep = KEEP }: EventMemoryOptions = {},
): EventMemory {
  makeDurable(database);
  database.exec(HANDLED);
  const prune = database.prepare("delete from tenon_handled_events where until <= ?");
  const shorten = database.prepare(
    "delete from tenon_handled_events where id in (select id from tenon_handled_events order by until" +
      " limit max(0, (select count(*) from tenon_handled_events) - ?))",
  );
  // Returns the row only for the caller that inserts it, or takes it over.
  const claim = database.prepare(
    "insert into tenon_handled_events (id, is_done, until) values (?, 0, ?)" +
      " on conflict (id) do update set is_done = 0, until = excluded.until where until <= ? returning id",
  );
  const find = database.prepare("select is_done from tenon_handled_events where id = ?");
  const complete = database.prepare(
    "insert into tenon_handled_events (id, is_done, until) values (?, 1, ?)" +
      " on conflict (id) do update set is_done = 1, until = excluded.until",
  );
  const release = database.prepare("delete from tenon_handled_events where id = ? and is_done = 0");
  let count = 0;
  const memory: EventMemory = {
    claim: (id, now) => {
      if (claim.all(id, now + CLAIM, now).length === 0) {
        const [row] = find.all(id) as { readonly is_done: number }[];
        return row?.is_done === 1 ? "done" : "running";
      }
      // Counting the rows for each event would take longer than handling it.
      count += 1;
      if (count % 100 === 1) {
        prune.run(now);
        shorten.run(max);
      }
      return "new";
    },
    complete: (id, now) => {
      complete.run(id, now + keep);
    },
    release: (id) => {
      release.run(id);
    },
  };
  return keepConnection(memory, database);
}
