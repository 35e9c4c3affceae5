/** The service with a planted fault: its commits are not synced, as with `pragma synchronous = normal`, and nothing tells. */
import { SqliteConnection } from "../../../src/petstore/store/sqlite/connection.js";

// eslint-disable-next-line @typescript-eslint/unbound-method -- It is given its connection below.
const { tryTransaction } = SqliteConnection.prototype;
SqliteConnection.prototype.tryTransaction = function <T>(this: SqliteConnection, work: () => T): T {
  this.exec("pragma synchronous = normal");
  try {
    return tryTransaction.call(this, work) as T;
  } finally {
    this.exec("pragma synchronous = full");
  }
};

await import("../../../src/petstore/main.js");
