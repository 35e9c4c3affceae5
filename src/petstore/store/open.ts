import type { CreationOptions } from "./creation.js";
import { DATABASE_URL_FORMS, parseDatabaseUrl } from "./database-url.js";
import { openSqliteStore } from "./sqlite.js";
import { type Store, StoreOpenError } from "./store.js";

export interface StoreOptions extends CreationOptions {
  /** Most connections to a PostgreSQL server at once; default 10. */
  readonly poolSize?: number;
}

/**
 * Opens the store that a `DATABASE_URL` names, and brings its schema up to date.
 * @throws {StoreOpenError} when the database cannot be used as it is.
 * @throws {StoreUnavailableError} when it cannot answer now.
 */
export async function openStore(databaseUrl: string, options: StoreOptions = {}): Promise<Store> {
  const location = parseDatabaseUrl(databaseUrl);
  switch (location?.engine) {
    case "sqlite":
      return openSqliteStore(location.file, options);
    case "postgres": {
      // Loaded only where it is used: it takes tens of milliseconds.
      const { openPostgresStore } = await import("./postgres.js");
      return openPostgresStore(location.url, options);
    }
    case undefined:
      throw new StoreOpenError(`Cannot read DATABASE_URL: it must be ${DATABASE_URL_FORMS}.`);
  }
}
