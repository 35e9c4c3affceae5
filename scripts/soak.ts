/**
 * The service at half of its capacity for a long time: whether memory, handles or latency grow. Writes
 * `scripts/bench/SOAK.md`; the exit code is 1 when anything does.
 *
 *     npm run bench -- soak [--minutes N] [--window SECONDS]
 */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { formatPage, toRow } from "./soak/page.js";
import { soak } from "./soak/run.js";
import { judge } from "./soak/verdict.js";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "20" }, window: { type: "string", default: "60" } },
});
const seconds = Number(values.window);
const windows = Math.round((Number(values.minutes) * 60) / seconds);
if (!(seconds > 0) || !(windows >= 4)) throw new Error("--minutes must have room for four times --window");

const result = await soak({
  windows,
  seconds,
  script: ["dist/src/petstore/main.js"],
  onWindow: (window, index) => {
    process.stderr.write(`${toRow(window, index).join("  ")}\n`);
  },
});
const page = formatPage(result, seconds);
writeFileSync(new URL("bench/SOAK.md", import.meta.url), page);
process.stdout.write(page);
process.exitCode = judge(result.windows).isFlat ? 0 : 1;
