// @thorough, 60 s: takes PostgreSQL away from a service.
import { renameSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { Client } from "pg";
import { loadSqliteDriver } from "../../src/petstore/store/sqlite/driver.js";
import { createDirectory } from "../support/directory.js";
import { inject } from "../support/faults/inject.js";
import { Ledger } from "../support/faults/ledger.js";
import { issueKey, runService, toSource } from "../support/faults/service.js";
import { createSmallDisk } from "../support/faults/small-disk.js";
import { findTraceProblem } from "../support/faults/trace.js";
import { becomes, readAfter, Writers } from "../support/faults/writers.js";
import { send } from "../support/http.js";
import { endProcesses } from "../support/process-group.js";
import { POSTGRES_URL, query } from "../support/postgres/database.js";
import { PostgresServer } from "../support/postgres/server.js";
import { Wire } from "../support/postgres/wire.js";
import { until } from "../support/until.js";

type Undo = () => unknown;

const REFUSING: Outage = { refuses: true };

const cannotTrace = findTraceProblem();
const disk = createSmallDisk(300);
for (const [what, problem] of [
  ["calls of the system made to fail", cannotTrace],
  ["a full disk", typeof disk === "string" ? disk : undefined],
]) {
  if (problem !== undefined) process.stderr.write(`\nTests with ${what} are SKIPPED: ${problem}\n\n`);
}
const traced = cannotTrace === undefined ? test : test.skip;
const onDisk = typeof disk === "string" ? test.skip : test;

afterEach(endProcesses);
afterAll(() => {
  if (typeof disk !== "string") disk.remove();
});

interface Outage {
  /** Whether creations are refused before the database is mended; otherwise they may also wait. */
  readonly refuses: boolean;
}

/** Under load, breaks the database of a service, waits for red, mends it, waits for green, and counts what was lost. */
async function expectRedThenGreen(
  databaseUrl: string,
  breakIt: (pid: number) => Undo | Promise<Undo>,
  { refuses }: Outage = { refuses: false },
): Promise<void> {
  const key = await issueKey(databaseUrl);
  const service = await runService({ argv: toSource(), databaseUrl });
  const target = { port: service.port, key };
  const ledger = new Ledger();
  const writers = new Writers(ledger, target, 4);
  await writers.progress(20);
  await becomes(200, target);

  const mend = await breakIt(service.pid);
  await becomes(503, target);
  const red = await send(target.port, "/readyz");
  expect(red).toMatchObject({ status: 503, headers: { "retry-after": "1" }, json: { code: "unavailable" } });
  expect(await send(target.port, "/healthz")).toMatchObject({ status: 200 });
  if (refuses) await until(() => writers.refused.has(503));
  await mend();
  await becomes(200, target);
  await writers.progress(20);
  await writers.stop();

  ledger.check(await readAfter(target, 0));
  expect(ledger.tally).toMatchObject({ lost: 0, wrong: 0 });
  expect([...writers.refused.keys()].filter((status) => status !== 503)).toStrictEqual([]);
  expect(writers.retryAfter).toBe(writers.refused.size > 0 ? "1" : undefined);
  await service.kill();
}

describe("readiness is red as long as a SQLite database is", () => {
  const newFile = (): string => join(createDirectory(), "pets.db");

  test("away: deleted or moved", async () => {
    const file = newFile();
    await expectRedThenGreen(`sqlite:${file}`, () => {
      renameSync(file, `${file}.moved`);
      return () => {
        renameSync(`${file}.moved`, file);
      };
    });
  });

  test("locked by another process", async () => {
    const file = newFile();
    await expectRedThenGreen(
      `sqlite:${file}`,
      () => {
        const other = new (loadSqliteDriver().DatabaseSync)(file);
        other.exec("pragma busy_timeout = 5000; begin immediate");
        return () => {
          other.close();
        };
      },
      REFUSING,
    );
  });

  onDisk("on a full disk", async () => {
    if (typeof disk === "string") return;
    await expectRedThenGreen(
      `sqlite:${join(disk.path, "pets.db")}`,
      () => {
        disk.fill();
        return () => {
          disk.clear();
        };
      },
      REFUSING,
    );
  });

  traced.each([
    ["that has become read-only", "pwrite64", "error=EROFS"],
    ["whose syncs fail", "fsync,fdatasync", "error=EIO"],
  ])("on a disk %s", async (_, calls, fault) => {
    await expectRedThenGreen(`sqlite:${newFile()}`, (pid) => inject(pid, calls, fault), REFUSING);
  });

  traced("slow", async () => {
    await expectRedThenGreen(`sqlite:${newFile()}`, (pid) =>
      inject(pid, "fsync,fdatasync", "delay_enter=2500000"),
    );
  });
});

(POSTGRES_URL === undefined ? describe.skip : describe)(
  "readiness is red as long as a PostgreSQL database is",
  () => {
    let server: PostgresServer;
    let schemas = 0;
    beforeAll(async () => {
      server = await PostgresServer.create(typeof disk === "string" ? undefined : disk.path);
    });
    afterAll(() => server.destroy());

    async function newDatabase(): Promise<string> {
      const name = `s${(schemas += 1)}`;
      await query(server.url, `create database ${name}`);
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      return url.href;
    }

    test("away", async () => {
      await expectRedThenGreen(
        await newDatabase(),
        async () => {
          await server.stop("SIGKILL");
          return () => server.start();
        },
        REFUSING,
      );
    });

    test("away, until its synchronous standby is promoted; the service finds it by itself", async () => {
      const primary = await PostgresServer.create();
      const standby = await primary.createStandby();
      const { host } = new URL(primary.url);
      const hosts = primary.url.replace(host, `${host},${new URL(standby.url).host}`);
      await expectRedThenGreen(
        `${hosts}?target_session_attrs=read-write`,
        async () => {
          await primary.stop("SIGKILL");
          return () => standby.promote();
        },
        REFUSING,
      );
      await primary.destroy();
      await standby.destroy();
    });

    test("slow: nothing comes through", async () => {
      const wire = await Wire.to(await newDatabase());
      await expectRedThenGreen(wire.url, () => {
        wire.block();
        return () => {
          wire.mend();
        };
      });
      await wire.close();
    });

    test("locked", async () => {
      const url = await newDatabase();
      await expectRedThenGreen(
        url,
        async () => {
          const other = new Client({ connectionString: url });
          await other.connect();
          await other.query("begin");
          await other.query("select last from pet_ids for update");
          return () => other.end();
        },
        REFUSING,
      );
    });

    test("read-only", async () => {
      const url = await newDatabase();
      const name = new URL(url).pathname.slice(1);
      const set = async (change: string): Promise<void> => {
        await query(server.url, `alter database ${name} ${change}`);
        await query(
          server.url,
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
        );
      };
      await expectRedThenGreen(
        url,
        async () => {
          await set("set default_transaction_read_only = on");
          return () => set("reset all");
        },
        REFUSING,
      );
    });

    onDisk("on a full disk", async () => {
      if (typeof disk === "string") return;
      await expectRedThenGreen(
        await newDatabase(),
        () => {
          disk.fill();
          return () => {
            disk.clear();
          };
        },
        REFUSING,
      );
    });
  },
);
