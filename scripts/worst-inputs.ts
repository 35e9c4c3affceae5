// Sends the worst inputs of each keyword, format and parser to the runtime and prints the milliseconds of each.
//
//   npm run test:long -- worst-inputs [--bytes 100000] [--formats]
//
// Exits 1 where one takes more than 100 ms for each schema that the contract declares for a value.
import { parseArgs } from "node:util";
import { FORMAT_WORST_CASES, WORST_CASES } from "../test/support/worst-inputs/cases.js";
import { BODY_LIMIT, startWorstInputs } from "../test/support/worst-inputs/run.js";

const MOST_MS = 100;
const ROUNDS = 5;

const { values } = parseArgs({
  options: {
    bytes: { type: "string", default: String(BODY_LIMIT) },
    formats: { type: "boolean", default: false },
  },
});
const cases = values.formats ? FORMAT_WORST_CASES : WORST_CASES;
const bytes = Number(values.bytes);

const run = await startWorstInputs(cases);
const rows: { name: string; status: number; ms: number; alternatives: number }[] = [];
for (const worst of cases) {
  await run.measure(worst, 1_000);
  const samples = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const sample = await run.measure(worst, bytes);
    samples.push(sample);
    if (sample.ms > 1_000) break;
  }
  samples.sort((a, b) => a.ms - b.ms);
  const { status, ms } = samples[Math.floor(samples.length / 2)] ?? { status: 0, ms: NaN };
  rows.push({ name: worst.name, status, ms, alternatives: worst.alternatives ?? 1 });
}
await run.stop();

const isSlow = ({ ms, alternatives }: (typeof rows)[number]): boolean => ms > MOST_MS * alternatives;
process.stdout.write(`| input of ${bytes} bytes | schemas | status | CPU ms |\n| --- | --: | --: | --: |\n`);
for (const { name, alternatives, status, ms } of rows.sort((a, b) => b.ms - a.ms))
  process.stdout.write(
    `| ${name.replaceAll("|", "\\|")} | ${alternatives} | ${status} | ${ms.toFixed(1)} |\n`,
  );
process.stdout.write(
  `\n${rows.filter(isSlow).length} of ${rows.length} take more than ${MOST_MS} ms for each schema.\n`,
);
process.exitCode = rows.some(isSlow) ? 1 : 0;
