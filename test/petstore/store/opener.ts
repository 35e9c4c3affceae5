/** Child process of `migrations.test.ts`: opens each store it is told and reports how that went. */
import process from "node:process";
import { openStore } from "../../../src/petstore/store/open.js";

async function open(url: string): Promise<string> {
  try {
    await (await openStore(url)).close();
    return "opened";
  } catch (error) {
    return String(error);
  }
}

process.on("message", (url) => {
  void open(String(url)).then((outcome) => process.send?.(outcome));
});
process.send?.("ready");
