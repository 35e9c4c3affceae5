import { existsSync } from "node:fs";
import { MIGRATIONS } from "../migrations.js";
import { parseDatabaseUrl } from "../open.js";
import * as sqlKeys from "../sql/keys.js";
import * as sqlPets from "../sql/pets.js";
import {
  type Insertable,
  insertRows,
  run,
  type SqlDatabase,
  type SqlValue,
  toPlaceholders,
} from "../sql/work.js";
import { openConnection } from "../sqlite/open.js";
import { StoreOpenError } from "../store.js";

/** Values of a row in the order of its table's columns. */
export type Row = readonly SqlValue[];

/** A table to copy. The columns of its primary key come first. */
export interface Table extends Insertable {
  /** Values that sort before every primary key: one per column of it. */
  readonly start: Row;
}

export const PETS: Table = { ...sqlPets.PETS, start: [0] };
export const KEYS: Table = { ...sqlKeys.KEYS, start: [""] };
export const KEY_EVENTS: Table = { ...sqlKeys.KEY_EVENTS, start: ["", ""] };
export const KEY_USES: Table = { ...sqlKeys.KEY_USES, start: [""] };
export const IDEMPOTENCY_KEYS: Table = { ...sqlPets.IDEMPOTENCY_KEYS, start: ["", ""] };

/** Limits for PostgreSQL in milliseconds: no caller waits for a copy. */
const LIMITS = { connectMs: 5000, statementMs: 60_000, lockMs: 5000 };

/** The statements for the greatest `id` ever assigned, which the engines keep in different places. `$1` is the new one. */
interface LastIdStatements {
  readonly get: string;
  readonly set: readonly string[];
}

const SQLITE_LAST_ID: LastIdStatements = {
  get: "select seq as last from sqlite_sequence where name = 'pets'",
  set: [
    "update sqlite_sequence set seq = $1 where name = 'pets'",
    "insert into sqlite_sequence (name, seq) select 'pets', $1 where not exists (select 1 from sqlite_sequence where name = 'pets')",
  ],
};
const POSTGRES_LAST_ID: LastIdStatements = {
  get: "select last from pet_ids where id = 1",
  set: ["update pet_ids set last = $1 where id = 1"],
};

/** One side of a copy: the tables of a store. */
export class CopySide {
  /** The database's address without a password, for messages. */
  readonly place: string;
  readonly #database: SqlDatabase;
  readonly #lastId: LastIdStatements;

  constructor(place: string, database: SqlDatabase, lastId: LastIdStatements) {
    this.place = place;
    this.#database = database;
    this.#lastId = lastId;
  }

  /** Reads all rows after a primary key in steps, in the engine's own order of primary keys. */
  async *read(table: Table, stepSize: number, after: Row = table.start): AsyncGenerator<readonly Row[]> {
    for (let last = after; ;) {
      const rows = await this.readStep(table, stepSize, last);
      const end = rows.at(-1);
      if (end === undefined) return;
      yield rows;
      last = end.slice(0, table.start.length);
    }
  }

  async readStep(
    { name, columns, start }: Table,
    limit: number,
    after: Row = start,
  ): Promise<readonly Row[]> {
    const key = columns.slice(0, start.length).join(", ");
    const text =
      `select ${columns.join(", ")} from ${name} ` +
      `where (${key}) > ${toPlaceholders(1, start.length)} order by ${key} limit $${start.length + 1}`;
    const rows = await this.#database.read<Record<string, SqlValue>>({ text }, [...after, limit]);
    return rows.map((row) => columns.map((column) => toPlain(row[column] ?? null)));
  }

  /** Inserts all of the rows, or none. Also advances the last `id`: a service started on half a copy must not reuse one. */
  insert(table: Table, rows: readonly Row[]): Promise<void> {
    const database = this.#database;
    const lastId = table === PETS ? rows.at(-1)?.[0] : undefined;
    const statements = lastId === undefined ? [] : this.#lastId.set;
    return database.write(function* () {
      yield* insertRows(database, table, rows);
      for (const text of statements) yield* run({ text }, [lastId ?? null]);
    });
  }

  clear({ name }: Table): Promise<void> {
    return this.#database.write(function* () {
      yield* run({ text: `delete from ${name}` });
    });
  }

  /** @returns the greatest `id` ever assigned, 0 at first. */
  async readLastId(): Promise<number> {
    const [row] = await this.#database.read<{ last: number }>({ text: this.#lastId.get });
    return row?.last ?? 0;
  }

  writeLastId(id: number): Promise<void> {
    const statements = this.#lastId.set;
    return this.#database.write(function* () {
      for (const text of statements) yield* run({ text }, [id]);
    });
  }

  async close(): Promise<void> {
    await this.#database.close();
  }
}

/**
 * Opens one side of a copy.
 * @param mustExist A source must exist and is not changed; a target is created and migrated.
 * @returns undefined when `url` does not name a database that can be copied.
 * @throws {StoreOpenError} when the database cannot be used as it is.
 */
export async function openSide(url: string, mustExist: boolean): Promise<CopySide | undefined> {
  const location = parseDatabaseUrl(url);
  if (location === undefined) return undefined;
  if (location.engine === "postgres") return openPostgresSide(location.url, mustExist);
  const { file } = location;
  // A database in memory has nothing to copy, and keeps nothing.
  if (file === ":memory:") return undefined;
  if (mustExist && !existsSync(file)) throw new StoreOpenError(`Cannot open ${file}: there is no such file.`);
  const connection = await openConnection(file, { busyTimeoutMs: 2000, migrations: MIGRATIONS });
  return new CopySide(file, connection, SQLITE_LAST_ID);
}

async function openPostgresSide(url: string, mustExist: boolean): Promise<CopySide> {
  // Loaded only here, because not every copy has PostgreSQL on a side.
  const { openPostgresConnection } = await import("../postgres/index.js");
  const options = { poolSize: 1, limits: LIMITS, migrations: MIGRATIONS, mustBeMigrated: mustExist };
  const connection = await openPostgresConnection(url, options);
  return new CopySide(connection.place, connection, POSTGRES_LAST_ID);
}

/** Drivers differ in the class of their bytes. */
function toPlain(value: SqlValue): SqlValue {
  return value instanceof Uint8Array ? Uint8Array.from(value) : value;
}
