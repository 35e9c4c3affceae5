// @thorough: starts a process.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import {
  createSqliteEventStore,
  createWebhooks,
  createWebhookSender,
} from "../../../src/tenon/webhooks/index.js";
import { webhooks } from "../../fixtures/webhooks/generated/server.js";
import { createDirectory } from "../../support/directory.js";
import { until } from "../../support/until.js";
import { atEnd, openDatabase, SECRET, serve } from "./exchange.js";

test("every event that was accepted before kill -9 is delivered", async () => {
  const handled = new Set<string | undefined>();
  let arrived = 0;
  let isUp = false;
  const receiver = createWebhooks(webhooks, {
    secret: SECRET,
    handlers: {
      orderPaid: ({ id }) => {
        handled.add(id);
      },
    },
    unknown: () => undefined,
  });
  const port = await serve((request, response, next) => {
    arrived += 1;
    // The first request and every second one are handled; the others have no response until the sender is killed.
    if (isUp || arrived % 2 === 1) receiver(request, response, next);
  });
  const file = join(createDirectory(), "events.db");
  const url = `http://127.0.0.1:${port}/hooks/orderPaid`;
  const main = fileURLToPath(new URL("sender-process.ts", import.meta.url));
  const flags = ["--disable-warning=ExperimentalWarning", "--conditions=tenon-source", "--import", "tsx"];
  const child = spawn(process.execPath, [...flags, main, file, url, SECRET], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  atEnd(() => {
    child.kill("SIGKILL");
  });
  const accepted: string[] = [];
  createInterface(child.stdout).on("line", (id) => accepted.push(id));
  await until(() => accepted.length >= 30 && handled.size > 0 && arrived > 10);
  child.kill("SIGKILL");
  await once(child, "close");
  const before = handled.size;
  expect(before).toBeLessThan(accepted.length);

  isUp = true;
  const store = createSqliteEventStore(openDatabase(file));
  // The claims of the killed process end later.
  const now = () => Date.now() + 60_000;
  const sender = createWebhookSender(webhooks, { store, secret: SECRET, allowHosts: ["127.0.0.1"], now });
  sender.start();
  atEnd(() => sender.stop());
  await until(() => accepted.every((id) => handled.has(id)));
  expect(await sender.listDead()).toEqual([]);
});
