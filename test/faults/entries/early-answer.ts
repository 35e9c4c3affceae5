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

// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the connection
const { write } = PostgresConnection.prototype;
PostgresConnection.prototype.write = function <T>(this: PostgresConnection, work: () => Work<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const answering = function* (): Work<void> {
      resolve(yield* work());
      yield* run({ text: `select pg_sleep(${DELAY_MS / 1000})` });
    };
    write.call(this, answering).catch(reject);
  });
};

await import("../../../src/petstore/main.js");
