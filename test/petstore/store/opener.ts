/** Child process of `migrations.test.ts`: opens the store of each file it is told and reports how that went. */
import process from "node:process";
import { openSqliteStore } from "../../../src/petstore/store/sqlite.js";

async function open(file: string): Promise<string> {
  try {
    await (await openSqliteStore(file)).close();
    return "opened";
  } catch (error) {
    return String(error);
  }
}

process.on("message", (file) => {
  void open(String(file)).then((outcome) => process.send?.(outcome));
});
process.send?.("ready");
