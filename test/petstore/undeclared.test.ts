import { createServer } from "node:http";
import { afterAll, describe, expect, test } from "@jest/globals";
import type { Logger } from "pino";
import { createApp } from "../../src/petstore/app.js";
import { loadConfig } from "../../src/petstore/config.js";
import { Keys } from "../../src/petstore/keys/keys.js";
import { openStore } from "../../src/petstore/store/open.js";
import type { PetStore } from "../../src/petstore/store/store.js";
import { close, listen } from "../support/http.js";
import { callsTo } from "../support/petstore.js";

const DECLARED = { id: 1, name: "Rex", categoryId: 1 };
const ROW = { ...DECLARED, ownerEmail: "s3cr3t-marker" };

const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
});

/** A service whose store has a column that the contract does not declare, and the lines of its log. */
async function start(environment: string) {
  const lines: [fields: { readonly problems?: readonly string[] }, message: string][] = [];
  const log = (...line: (typeof lines)[number]) => lines.push(line);
  const logger = { debug: log, info: log, warn: log, error: log } as unknown as Logger;
  const store = await openStore("sqlite::memory:");
  const pets = {
    get: () => Promise.resolve(ROW),
    list: () => Promise.resolve({ pets: [ROW, DECLARED, ROW] }),
  };
  const keys = new Keys(store.keys);
  const { key } = await keys.issue({ name: "test" });
  const app = createApp({
    config: loadConfig({ NODE_ENV: environment, MAX_EVENT_LOOP_DELAY_MS: "60000" }),
    store: { ...store, pets: pets as unknown as PetStore },
    keys,
    logger,
    readiness: { draining: false },
  });
  const server = createServer(app);
  stops.push(() => close(server));
  const calls = callsTo(`http://127.0.0.1:${await listen(server)}`, key);
  return { ...calls, lines };
}

describe("a column of the database that the contract does not declare", () => {
  test("never leaves in production, and each response that had it is logged without the value", async () => {
    const { call, lines } = await start("production");
    for (let request = 0; request < 3; request += 1)
      expect((await call("/v1/pets/1")).json).toStrictEqual(DECLARED);
    expect((await call("/v1/pets")).json).toStrictEqual([DECLARED, DECLARED, DECLARED]);
    const reports = lines.filter(([, message]) => message === "response is not as declared");
    const one = ["/ownerEmail is not declared"];
    expect(reports.map(([{ problems }]) => problems)).toStrictEqual([
      ...[one, one, one],
      ["/0/ownerEmail is not declared", "/2/ownerEmail is not declared"],
    ]);
    expect(JSON.stringify(lines)).not.toContain(ROW.ownerEmail);
  });

  test("is an error in tests", async () => {
    const { call, lines } = await start("test");
    expect(await call("/v1/pets/1")).toMatchObject({ status: 500, json: { code: "internal_error" } });
    expect(lines).toContainEqual([
      expect.objectContaining({ problems: ["/ownerEmail is not declared"] }),
      expect.any(String),
    ]);
    expect(JSON.stringify(lines)).not.toContain(ROW.ownerEmail);
  });
});
