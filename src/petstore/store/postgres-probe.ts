import type { PostgresConnection, Statement } from "./postgres-connection.js";

/** Waits for the lock that creations wait for, and is what the commit has to get to the disk. */
const TAKE_NO_ID: Statement = {
  name: "take no id",
  text: "update pet_ids set last = last where id = 1 returning last",
};
const INSERT: Statement = {
  name: "insert probe",
  text: "insert into pets (id, name, category_id) values ($1, 'probe', 0)",
};
const SAVE: Statement = { text: "savepoint probe" };
const TAKE_BACK: Statement = { text: "rollback to savepoint probe" };

/**
 * Makes what proves that animals can be created, and leaves none behind: the server makes room for one, then takes it back
 * and commits.
 */
export function createPostgresProbe(connection: PostgresConnection): () => Promise<void> {
  return () =>
    connection.transaction(async (query) => {
      const [taken] = await query<{ last: number }>(TAKE_NO_ID);
      if (taken === undefined) throw new TypeError("The table pet_ids has lost its row");
      await query(SAVE);
      await query(INSERT, [taken.last + 1]);
      await query(TAKE_BACK);
    });
}
