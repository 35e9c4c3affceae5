import { type BigIntStats, statSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { IN_MEMORY, type SqliteConnection } from "./sqlite-connection.js";
import { isBusy, toStoreError } from "./sqlite-errors.js";
import { StoreUnavailableError } from "./store.js";

/** Pause between two attempts to get the write lock, in milliseconds. */
const RETRY_MS = 1;

/**
 * Makes what proves that animals can be created, and leaves none behind. What a savepoint takes back is still written:
 * the commit puts the same pages on the disk as that of an animal that stays, so that it wants the same room.
 * @param file That the connection is open on.
 */
export function createSqliteProbe(connection: SqliteConnection, file: string): () => Promise<void> {
  const insert = connection.prepare("insert into pets (name, category_id) values ('probe', 0)");
  const write = (): void => {
    connection.exec("savepoint probe");
    insert.run();
    connection.exec("rollback to probe");
  };
  const assertThere = file === IN_MEMORY ? undefined : createPresenceCheck(resolve(file));
  return async () => {
    const deadline = performance.now() + connection.busyTimeoutMs;
    for (;;) {
      connection.assertOpen();
      assertThere?.();
      try {
        connection.tryTransaction(write);
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw toStoreError(error);
      }
      // Not in the driver, which would stop the event loop while another process writes.
      await setTimeout(RETRY_MS);
    }
  };
}

/** A file that was deleted or moved away takes writes as ever, and whoever starts next finds none of them. */
function createPresenceCheck(path: string): () => void {
  const stat = (): BigIntStats | undefined => statSync(path, { bigint: true, throwIfNoEntry: false });
  const opened = stat();
  return () => {
    const found = stat();
    if (found?.ino === opened?.ino && found?.dev === opened?.dev) return;
    throw new StoreUnavailableError(`The database is not at ${path} any more.`);
  };
}
