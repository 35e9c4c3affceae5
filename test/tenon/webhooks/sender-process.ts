/** A sender in a process of its own, which a test kills: prints the id of each event that it accepted. */
import { createRequire } from "node:module";
import {
  createSqliteEventStore,
  createWebhookSender,
  type SqliteConnection,
} from "../../../src/tenon/webhooks/index.js";
import { webhooks } from "../../fixtures/webhooks/generated/server.js";

const [, , file = "", url = "", secret = ""] = process.argv;
const driver = (process.getBuiltinModule("node:sqlite") ??
  createRequire(import.meta.url)("@photostructure/sqlite")) as {
  readonly DatabaseSync: new (path: string) => SqliteConnection;
};
const store = createSqliteEventStore(new driver.DatabaseSync(file));
const sender = createWebhookSender(webhooks, { store, secret, allowHosts: ["127.0.0.1"] });
sender.start();
for (let item = 1; ; item += 1) {
  const body = { type: "order.paid", data: { id: item, item: "Tea" } } as const;
  const { id } = await sender.send.orderPaid({ url, headers: { "X-Tenant": "3" }, body });
  process.stdout.write(`${id}\n`);
  await new Promise((resolve) => setImmediate(resolve));
}
