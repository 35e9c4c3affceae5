// Loaded into every process that a benchmark starts: appends a line to a file at its start, and what it used at its end.
import { appendFileSync } from "node:fs";
import process from "node:process";
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  const report = (usage) => appendFileSync(process.env["BENCH_USAGE"], `${JSON.stringify(usage)}\n`);
  report(null);
  process.on("exit", () => report(process.resourceUsage()));
  // The signal would end the process before it reports.
  process.once("SIGTERM", () => process.exit(143));
}
