import { DATABASE_URL_FORMS, parseDatabaseUrl } from "./database-url.js";
import { openSqliteStore } from "./sqlite.js";
import { type Store, StoreOpenError } from "./store.js";

/**
 * Opens the store that a `DATABASE_URL` names, and brings its schema up to date.
 * @throws {StoreOpenError} when the database cannot be used as it is.
 * @throws {StoreUnavailableError} when it cannot answer now.
 */
export async function openStore(databaseUrl: string): Promise<Store> {
  const location = parseDatabaseUrl(databaseUrl);
  switch (location?.engine) {
    case "sqlite":
      return openSqliteStore(location.file);
    case "postgres":
      throw new StoreOpenError("PostgreSQL is not supported yet: set DATABASE_URL to sqlite:PATH.");
    case undefined:
      throw new StoreOpenError(`Cannot read DATABASE_URL: it must be ${DATABASE_URL_FORMS}.`);
  }
}
