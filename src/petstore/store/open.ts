import type { CreationOptions } from "./sql/pets.js";
import { openSqliteStore } from "./sqlite/index.js";
import { type Store, StoreOpenError } from "./store.js";

/** The parts of a `DATABASE_URL`. */
export type DatabaseLocation =
  | { readonly engine: "sqlite"; /** Path as written, or `:memory:`. */ readonly file: string }
  | { readonly engine: "postgres"; /** As written; may contain a password. */ readonly url: string };

/** The form that {@link parseDatabaseUrl} accepts, for messages. */
export const DATABASE_URL_FORMS = "sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE";

export interface StoreOptions extends CreationOptions {
  /** Maximum number of connections to a PostgreSQL server. Default: 10. */
  readonly poolSize?: number;
}

/**
 * Parses a `DATABASE_URL`. The path in `sqlite:data/petstore.db` is relative to the working directory and taken literally.
 * @returns undefined when the text has none of the {@link DATABASE_URL_FORMS}. It may contain a password: do not print it.
 */
export function parseDatabaseUrl(url: string): DatabaseLocation | undefined {
  // Two slashes introduce a host, which a file does not have: `sqlite://data/petstore.db` would mean `/data/petstore.db`.
  const file = /^sqlite:(?!\/\/[^/])(.+)$/.exec(url)?.[1];
  if (file !== undefined) return { engine: "sqlite", file };
  return /^postgres(?:ql)?:\/\/./.test(url) ? { engine: "postgres", url } : undefined;
}

/**
 * Opens the store at a `DATABASE_URL` and applies missing migrations.
 * @throws {StoreOpenError} when the database cannot be used as it is.
 * @throws {StoreUnavailableError} when it cannot be reached now.
 */
export async function openStore(databaseUrl: string, options: StoreOptions = {}): Promise<Store> {
  const location = parseDatabaseUrl(databaseUrl);
  switch (location?.engine) {
    case "sqlite":
      return openSqliteStore(location.file, options);
    case "postgres": {
      // Loaded only here: the driver takes tens of milliseconds to load.
      const { openPostgresStore } = await import("./postgres/index.js");
      return openPostgresStore(location.url, options);
    }
    case undefined:
      throw new StoreOpenError(`Cannot read DATABASE_URL: it must be ${DATABASE_URL_FORMS}.`);
  }
}
