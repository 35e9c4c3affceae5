/** The service with a planted fault: creations are answered 20 ms before they are committed. */
import { setTimeout as sleep } from "node:timers/promises";
import { PostgresConnection, type Query } from "../../../src/petstore/store/postgres/connection.js";
import { SqliteConnection } from "../../../src/petstore/store/sqlite/connection.js";

const DELAY_MS = 20;

let isOpen = false;
SqliteConnection.prototype.tryTransaction = function <T>(this: SqliteConnection, work: () => T): T {
  if (!isOpen) {
    this.exec("begin immediate");
    isOpen = true;
    setTimeout(() => {
      isOpen = false;
      this.exec("commit");
    }, DELAY_MS);
  }
  return work();
};

PostgresConnection.prototype.transaction = function <T>(
  this: PostgresConnection,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    this.attempt(async (query) => {
      await query({ text: "begin" });
      resolve(await work(query));
      await sleep(DELAY_MS);
      await query({ text: "commit" });
    }).catch(reject);
  });
};

await import("../../../src/petstore/main.js");
