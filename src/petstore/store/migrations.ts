import { createHash } from "node:crypto";

/** One step of the schema. A released migration is never edited; a later one corrects it. */
export interface Migration {
  /** 1, 2, 3, … without a gap. */
  readonly version: number;
  readonly name: string;
  /** One statement per string. Data definition differs between the engines, so each has its own. */
  readonly sqlite: readonly string[];
  /**
   * Each statement commits on its own, because distributed engines have no transactional data definition. A migration
   * that was interrupted is run again, so every statement must be repeatable: `if not exists`.
   */
  readonly postgres: readonly string[];
}

export type Engine = "sqlite" | "postgres";

/** A migration that a database has recorded. */
export interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
}

/**
 * The schema, in order.
 * - Checks limit integers to the range that JSON represents exactly (RFC 7493, section 2.2), for every writer.
 * - `autoincrement`: without it SQLite reuses the `id` of a deleted last row.
 * - `status` is text without a check, so that a new value of the contract does not rebuild the table.
 * - Instants are ISO 8601 text in UTC.
 * - PostgreSQL takes a pet's `id` from `pet_ids`, not from a sequence: see decisions/0013.
 * - `asc`: without it YugabyteDB hashes the first column, and pages would have to be sorted.
 * - Each event can happen to a key once, so key and event identify a row of `key_events`.
 * - Uses have their own table, because they are written all the time and keys hardly ever.
 * - On PostgreSQL `replaced_by` has no foreign key: not every engine defers the check, and no key is ever deleted.
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
    postgres: [
      `create table if not exists pets (
        id bigint primary key check (id between 1 and 9007199254740991),
        name text not null,
        category_id bigint not null check (category_id between -9007199254740991 and 9007199254740991),
        status text
      )`,
      "create index if not exists pets_status_id on pets (status asc, id asc)",
      `create table if not exists pet_ids (
        id integer primary key check (id = 1),
        last bigint not null check (last between 0 and 9007199254740991)
      )`,
      "insert into pet_ids (id, last) values (1, 0) on conflict (id) do nothing",
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
    postgres: [
      `create table if not exists api_keys (
        id text primary key,
        name text not null,
        hash bytea not null unique check (length(hash) = 32),
        created_at text not null,
        expires_at text,
        revoked_at text,
        replaced_by text
      )`,
    ],
  },
  {
    version: 3,
    name: "idempotency keys",
    sqlite: [
      `create table idempotency_keys (
        caller text not null,
        key text not null,
        fingerprint blob not null check (length(fingerprint) = 32),
        pet_id integer not null,
        used_at text not null,
        primary key (caller, key)
      ) strict, without rowid`,
      "create index idempotency_keys_used_at on idempotency_keys (used_at)",
    ],
    postgres: [
      `create table if not exists idempotency_keys (
        caller text not null,
        key text not null,
        fingerprint bytea not null check (length(fingerprint) = 32),
        pet_id bigint not null,
        used_at text not null,
        primary key (caller, key)
      )`,
      "create index if not exists idempotency_keys_used_at on idempotency_keys (used_at asc)",
    ],
  },
  {
    version: 4,
    name: "key history",
    sqlite: [
      `create table key_events (
        key_id text not null,
        event text not null,
        happened_at text not null,
        actor text not null,
        successor text,
        primary key (key_id, event)
      ) strict`,
      "create table key_uses (key_id text primary key not null, last_used_at text not null) strict",
    ],
    postgres: [
      `create table if not exists key_events (
        key_id text,
        event text,
        happened_at text not null,
        actor text not null,
        successor text,
        primary key (key_id, event)
      )`,
      "create table if not exists key_uses (key_id text primary key, last_used_at text not null)",
    ],
  },
  {
    version: 5,
    name: "key rates",
    sqlite: [
      "create table key_rates (key_id text primary key not null, regained_at integer not null) strict",
    ],
    postgres: ["create table if not exists key_rates (key_id text primary key, regained_at bigint not null)"],
  },
];

/** Computes the checksum that detects an edited migration. */
export function toChecksum(statements: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(statements)).digest("hex");
}

/**
 * Explains why this program must not use a database: it is newer, or its applied migrations differ from `migrations`.
 * @param applied The database's migrations in ascending version.
 * @returns undefined when applying `migrations.slice(applied.length)` brings it up to date.
 */
export function findSchemaProblem(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
  engine: Engine,
): string | undefined {
  for (const [index, { version, name, checksum }] of applied.entries()) {
    const known = migrations[index];
    if (known === undefined) {
      return (
        `it is newer than this program, which knows no migration ${version} "${name}". ` +
        "Run the newer program, or restore a backup."
      );
    }
    if (known.version !== version || toChecksum(known[engine]) !== checksum) {
      return (
        `migration ${version} "${name}" is not the one that was applied. ` +
        "Undo the edit and add a new migration instead."
      );
    }
  }
  return undefined;
}
