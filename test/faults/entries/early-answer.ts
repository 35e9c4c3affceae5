/** The service with a planted fault: creations are answered 20 ms before they are committed. */
import { PostgresConnection } from "../../../src/petstore/store/postgres/connection.js";
import { run, type Work } from "../../../src/petstore/store/sql/work.js";
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

PostgresConnection.prototype.write = function <T>(this: PostgresConnection, work: () => Work<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    this.read(function* () {
      yield* run({ text: "begin" });
      resolve(yield* work());
      yield* run({ text: `select pg_sleep(${DELAY_MS / 1000})` });
      yield* run({ text: "commit" });
    }).catch(reject);
  });
};

await import("../../../src/petstore/main.js");
