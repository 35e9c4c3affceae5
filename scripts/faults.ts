// Breaks the built service on purpose and checks that nothing that it answered is lost. test/faults/README.md has the results.
//
//   npm run test:long -- faults kill --rounds 200 --store sqlite --processes 2
//   npm run test:long -- faults kill --rounds 200 --store postgres
//   CITUS_SOURCE=/path/to/citus npm run test:long -- faults kill --rounds 30 --store citus
//   npm run test:long -- faults power-cut --cuts 600 --creations 3000 --seed 7
//
// Exits 1 when anything was lost or is not as it was answered.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { killRounds } from "../test/support/faults/kill.js";
import { powerCuts } from "../test/support/faults/power-cut.js";
import { BUILT } from "../test/support/faults/service.js";
import { CitusCluster } from "../test/support/postgres/citus.js";
import { PostgresServer } from "../test/support/postgres/server.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "100" },
    store: { type: "string", default: "sqlite" },
    processes: { type: "string", default: "1" },
    cuts: { type: "string", default: "600" },
    creations: { type: "string", default: "1500" },
    seed: { type: "string", default: "7" },
  },
});
const [rounds, processes, cuts, creations, seed] = (
  ["rounds", "processes", "cuts", "creations", "seed"] as const
).map((name) => Number(values[name])) as [number, number, number, number, number];
const [command = ""] = positionals;
const isUsable = [rounds, processes, cuts, creations, seed].every(
  (value) => Number.isSafeInteger(value) && value > 0,
);
if (
  !isUsable ||
  !["kill", "power-cut"].includes(command) ||
  !["sqlite", "postgres", "citus"].includes(values.store)
) {
  process.stderr.write(
    "npm run test:long -- faults kill [--rounds N] [--store sqlite|postgres|citus] [--processes N]\n" +
      "npm run test:long -- faults power-cut [--cuts N] [--creations N] [--seed N]\n",
  );
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "petstore-faults-"));
const source = process.env["CITUS_SOURCE"];
if (values.store === "citus" && source === undefined) {
  process.stderr.write("Set CITUS_SOURCE to a checkout of Citus, for example of v13.2.2.\n");
  process.exit(2);
}
const citus = values.store === "citus" ? await CitusCluster.create(source ?? "") : undefined;
const server = values.store === "postgres" ? await PostgresServer.create() : undefined;
process.once("exit", () => {
  rmSync(folder, { recursive: true, force: true });
});

const report =
  command === "power-cut"
    ? await powerCuts({ cuts, creations, seed, folder, argv: BUILT })
    : await killRounds({
        rounds,
        processes,
        argv: BUILT,
        databaseUrl: (citus?.coordinator ?? server)?.url ?? `sqlite:${join(folder, "pets.db")}`,
        server: (await citus?.distribute()) ?? server,
        onRound: (round, { answered, lost }) => {
          if (round % 10 === 0)
            process.stderr.write(`${round} of ${rounds}: ${answered} answered, ${lost} lost\n`);
        },
      });
await server?.destroy();
await citus?.destroy();
process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
process.exitCode = report.problems.length === 0 ? 0 : 1;
