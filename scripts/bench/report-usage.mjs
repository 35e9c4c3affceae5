// Loaded into every process that a benchmark starts: appends what it used to a file when it ends.
import { appendFileSync } from "node:fs";
import process from "node:process";

process.on("exit", () => {
  appendFileSync(process.env["BENCH_USAGE"], `${JSON.stringify(process.resourceUsage())}\n`);
});
