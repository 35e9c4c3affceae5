/**
 * Latency at 80 % of capacity, beside Fastify and with 1,000 idle connections. Writes `scripts/bench/LATENCY.md`.
 *
 *     npm run bench -- latency [--rounds N] [--seconds S] [--folder DIR]
 */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { createWorkspace } from "./bench/http/workspace.js";
import { measureLatency } from "./bench/latency/measure.js";
import { formatPage } from "./bench/latency/page.js";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    // Less than it takes a server to end connections that idle.
    seconds: { type: "string", default: "3" },
    folder: { type: "string" },
  },
});
const options = { rounds: Number(values.rounds), seconds: Number(values.seconds) };
if (!Object.values(options).every((value) => Number.isSafeInteger(value) && value > 0))
  throw new Error("--rounds and --seconds must be positive integers");

const workspace = createWorkspace({ node: process.execPath, folder: values.folder });
const page = formatPage(await measureLatency(options, workspace), options);
writeFileSync(new URL("bench/LATENCY.md", import.meta.url), page);
process.stdout.write(page);
