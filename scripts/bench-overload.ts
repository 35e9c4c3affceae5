/**
 * The service asked for less and for more than it can do, with its limits and without, and plain Express: latency and good
 * answers. Writes `scripts/bench/OVERLOAD.md` and `overload.svg`.
 *
 *     npm run bench -- overload [--rounds N] [--seconds S] [--connections N]
 */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { createOwnWorkspace } from "./bench/http/workspace.js";
import { measureOverload } from "./bench/overload/measure.js";
import { drawCurves, formatPage } from "./bench/overload/page.js";
import { FACTORS } from "./bench/overload/results.js";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    // Less than it takes a server to end connections that idle.
    seconds: { type: "string", default: "3" },
    connections: { type: "string", default: "4000" },
  },
});
const options = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  connections: Number(values.connections),
  factors: FACTORS,
};
if (
  ![options.rounds, options.seconds, options.connections].every(
    (value) => Number.isSafeInteger(value) && value > 0,
  )
)
  throw new Error("--rounds, --seconds and --connections must be positive integers");

const workspace = createOwnWorkspace(process.execPath);
const curves = await measureOverload(options, workspace);
const page = formatPage(curves, options);
writeFileSync(new URL("bench/OVERLOAD.md", import.meta.url), page);
writeFileSync(new URL("bench/overload.svg", import.meta.url), drawCurves(curves));
process.stdout.write(page);
