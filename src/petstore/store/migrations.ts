import { createHash } from "node:crypto";

/** One step of the schema. Once released it is never edited: what it got wrong, a later one puts right. */
export interface Migration {
  /** 1, 2, 3, … without a gap. */
  readonly version: number;
  readonly name: string;
  /** Statements, one a string. Only data definition differs between engines: each has a text of its own. */
  readonly sqlite: readonly string[];
}

/** A migration that a database remembers. */
export interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
}

/**
 * The schema, in order.
 * - Integers are kept within the range that JSON carries exactly (RFC 7493, section 2.2), whatever writes to the database.
 * - `autoincrement`: without it SQLite reuses the `id` of a deleted last row.
 * - `status` is text: its values are the contract's, and a new one must not rebuild the table.
 * - Instants are ISO 8601 text in UTC.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: "pets",
    sqlite: [
      `create table pets (
        id integer primary key autoincrement check (id between 1 and 9007199254740991),
        name text not null,
        category_id integer not null check (category_id between -9007199254740991 and 9007199254740991),
        status text
      ) strict`,
      "create index pets_status_id on pets (status, id)",
    ],
  },
  {
    version: 2,
    name: "api keys",
    sqlite: [
      `create table api_keys (
        id text primary key not null,
        name text not null,
        hash blob not null unique check (length(hash) = 32),
        created_at text not null,
        expires_at text,
        revoked_at text,
        replaced_by text references api_keys (id) deferrable initially deferred
      ) strict`,
    ],
  },
];

/** Tells an edited migration from the one that was applied. */
export function toChecksum(statements: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(statements)).digest("hex");
}

/**
 * Why this program must not use a database: it is newer, or its past differs from `migrations`.
 * @param applied What the database remembers, in ascending version.
 * @returns undefined when `migrations.slice(applied.length)` brings it up to date.
 */
export function findSchemaProblem(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): string | undefined {
  for (const [index, { version, name, checksum }] of applied.entries()) {
    const known = migrations[index];
    if (known === undefined) {
      return (
        `it is newer than this program, which knows no migration ${version} "${name}". ` +
        "Run the newer program, or restore a backup."
      );
    }
    if (known.version !== version || toChecksum(known.sqlite) !== checksum) {
      return (
        `migration ${version} "${name}" is not the one that was applied. ` +
        "Undo the edit and add a new migration instead."
      );
    }
  }
  return undefined;
}
