/**
 * The service as one process and as two workers, on one core: the processor time that a second worker costs per request.
 * Writes `scripts/bench/WORKERS.md`.
 *
 *     npm run bench -- workers [--starts N] [--rounds N] [--seconds S]
 */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { measure } from "./bench/http/measure.js";
import { createOwnWorkspace } from "./bench/http/workspace.js";
import { createWorkers, formatPage } from "./bench/workers.js";

const { values } = parseArgs({
  options: {
    starts: { type: "string", default: "6" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "1" },
  },
});
const plan = {
  starts: Number(values.starts),
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
};
if (!Object.values(plan).every((value) => value > 0))
  throw new Error("--starts, --rounds and --seconds must be positive");
if (process.platform !== "linux")
  throw new Error("The processor time of workers is read from /proc, which only Linux has");

const workspace = createOwnWorkspace(process.execPath);
const page = formatPage(await measure(createWorkers(workspace), plan, "workers"), plan);
writeFileSync(new URL("bench/WORKERS.md", import.meta.url), page);
process.stdout.write(page);
