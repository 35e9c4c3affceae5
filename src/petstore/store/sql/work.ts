/** A value of a row. */
export type SqlValue = string | number | Uint8Array | null;

/** A value of a parameter; lists on PostgreSQL only. */
export type SqlParameter = SqlValue | readonly SqlValue[];

/** A statement. Both engines read `$1`, `$2`, … as its parameters. */
export interface Statement {
  /** A statement with a name is prepared once per connection. */
  readonly name?: string;
  readonly text: string;
  /** True for a `select` of at most one row. */
  readonly isSingle?: true;
}

interface Execution {
  readonly statement: Statement;
  readonly values: readonly SqlParameter[];
}

/**
 * Database work that is written once for both engines: it yields statements and receives their rows.
 * PostgreSQL awaits each statement. SQLite runs all of the work in one turn of the event loop, because its one connection
 * has one transaction at a time: an `await` within it would let other work in.
 * @example
 * function* rename(id: string, name: string): Work<boolean> {
 *   const rows = yield* run(UPDATE_NAME, [id, name]);
 *   return rows.length > 0;
 * }
 */
export type Work<T> = Generator<Execution, T, readonly unknown[]>;

/** Runs one statement within {@link Work} and returns its rows. */
export function* run<Row>(statement: Statement, values: readonly SqlParameter[] = []): Work<readonly Row[]> {
  return (yield { statement, values }) as readonly Row[];
}

/** A database of either engine. `work` may run several times, when it conflicts with other transactions. */
export interface SqlDatabase {
  /**
   * Rows in one `insert`. Many save round trips to PostgreSQL; SQLite has none, and takes time in proportion to the square
   * of the number of parameters.
   */
  readonly rowsPerInsert: number;
  /** Runs one statement and returns its rows. */
  read<Row>(statement: Statement, values?: readonly SqlParameter[]): Promise<readonly Row[]>;
  /** Runs work in a transaction: durable when this resolves, undone when it rejects. */
  write<T>(work: () => Work<T>): Promise<T>;
  /** Tests whether an error concerns only the values of a row: the same work without it may succeed. */
  isRowError(error: unknown): boolean;
  close(): Promise<void>;
}

/** A table to insert rows into. */
export interface Insertable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The clause for rows that already exist: `on conflict …`. Default: they are an error. */
  readonly onConflict?: string;
}

/** Inserts any number of rows within {@link Work}; their values are in the order of the table's columns. */
export function* insertRows(
  { rowsPerInsert }: SqlDatabase,
  { name, columns, onConflict = "" }: Insertable,
  rows: readonly (readonly SqlValue[])[],
): Work<void> {
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    const some = rows.slice(start, start + rowsPerInsert);
    const text = `insert into ${name} (${columns.join(", ")}) values ${toPlaceholders(some.length, columns.length)} ${onConflict}`;
    yield* run(some.length === 1 ? { name: `insert into ${name}`, text } : { text }, some.flat());
  }
}

/**
 * Returns the parameters of several rows.
 * @example
 * toPlaceholders(2, 3) // "($1, $2, $3), ($4, $5, $6)"
 */
export function toPlaceholders(rows: number, columns: number): string {
  const row = (first: number): string =>
    Array.from({ length: columns }, (_, column) => `$${first + column + 1}`).join(", ");
  return Array.from({ length: rows }, (_, index) => `(${row(index * columns)})`).join(", ");
}
