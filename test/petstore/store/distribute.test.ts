// @thorough: builds and starts a cluster, where CITUS_SOURCE names its source.
import { afterEach, describe, expect, test } from "@jest/globals";
import process from "node:process";
import { runStoreCommand } from "../../../src/petstore/store/store-command.js";
import { openStore } from "../../../src/petstore/store/open.js";
import { killRounds } from "../../support/faults/kill.js";
import { toSource } from "../../support/faults/service.js";
import { CitusCluster } from "../../support/postgres/citus.js";
import { createDatabase, POSTGRES_URL } from "../../support/postgres/database.js";
import { endProcesses } from "../../support/process-group.js";

const source = process.env["CITUS_SOURCE"];
if (source === undefined) {
  process.stderr.write("\nTests with Citus are SKIPPED: CITUS_SOURCE names no checkout of it.\n\n");
}

afterEach(endProcesses);

async function run(...argv: readonly string[]): Promise<readonly [code: number, out: string, err: string]> {
  let [out, err] = ["", ""];
  const code = await runStoreCommand(["distribute", ...argv], {
    stdout: { write: (text: string) => (out += text) !== "" },
    stderr: { write: (text: string) => (err += text) !== "" },
  });
  return [code, out, err];
}

test.each([
  [["--database", "sqlite:pets.db"], "--database must be postgres://"],
  [["--database", "postgres://db/pets", "--shards", "0"], "--shards must be an integer from 1 to 9999"],
])("%j is refused", async (argv, message) => {
  const [code, , err] = await run(...argv);
  expect(code).toBe(2);
  expect(err).toContain(message);
});

(POSTGRES_URL === undefined ? test.skip : test)("a database without Citus is refused", async () => {
  const [code, , err] = await run("--database", await createDatabase());
  expect(code).toBe(1);
  expect(err).toMatch(/^Cannot distribute postgres:\/\/[\d.:]+\/\w+: it lacks the extension citus\.\n$/);
});

(source === undefined ? describe.skip : describe)("a Citus cluster", () => {
  test("keeps its rows when it is distributed, and loses nothing when workers are killed", async () => {
    const cluster = await CitusCluster.create(source ?? "");
    try {
      const { url } = cluster.coordinator;
      const store = await openStore(url);
      const pet = await store.pets.createOnce({ name: "Rex", categoryId: 1 }, { caller: "k_1", key: "a" });
      await store.close();
      const [code, out] = await run("--database", url);
      expect([code, out]).toStrictEqual([0, "Distributed pets and idempotency_keys into 2 shards each.\n"]);
      expect((await run("--database", url))[1]).toBe("The tables are distributed already.\n");
      const distributed = await openStore(url);
      expect(
        await distributed.pets.createOnce({ name: "Rex", categoryId: 1 }, { caller: "k_1", key: "a" }),
      ).toMatchObject({ ...pet, isReplay: true });
      await distributed.close();
      await cluster.coordinator.execute("delete from pets");
      const options = { databaseUrl: url, argv: toSource(), server: await cluster.distribute() };
      const report = await killRounds({ rounds: 6, ...options });
      expect(report).toMatchObject({ lost: 0, wrong: 0, problems: [] });
      expect(Object.keys(report.refused).filter((status) => !["0", "503"].includes(status))).toStrictEqual(
        [],
      );
    } finally {
      await cluster.destroy();
    }
  });
});
