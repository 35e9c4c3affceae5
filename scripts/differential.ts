// Compares the runtime with plain express-openapi-validator on generated requests, valid and invalid.
//
//   npm run test:long -- differential --requests 100000 --seed 7
//
// Exits 1 where they differ and no intended difference says why, with the smallest such request of each contract.
import { parseArgs } from "node:util";
import { runDifferential } from "../test/support/differential/run.js";

const { values } = parseArgs({
  options: { requests: { type: "string", default: "10000" }, seed: { type: "string" } },
});
const requests = Number(values.requests);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
if (!Number.isSafeInteger(requests) || requests < 1 || !Number.isSafeInteger(seed)) {
  process.stderr.write("--requests and --seed want integers\n");
  process.exit(2);
}

/** Requests between two lines of progress. */
const STEP = 5000;

const start = performance.now();
const run = await runDifferential({
  requests,
  seed,
  onRequest: (count) => {
    if (count % STEP === 0) process.stderr.write(`${count} of ${requests}, ${seconds()} s\n`);
  },
});
const rows = [...run.intended].map(([name, count]) => `| ${name} | ${count} |`);
process.stdout.write(`seed ${seed}: ${run.requests} requests in ${seconds()} s

| | requests |
| --- | --: |
| accepted by both | ${run.accepted} |
| refused by both with the same status | ${run.refused} |

| intended difference | requests |
| --- | --: |
${rows.join("\n")}

${run.failures.length === 0 ? "No other difference." : run.failures.join("\n")}
`);
process.exitCode = run.failures.length === 0 ? 0 : 1;

function seconds(): string {
  return ((performance.now() - start) / 1000).toFixed(0);
}
