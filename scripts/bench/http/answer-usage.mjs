// Loaded into every server that a benchmark measures: tells what the process used when asked, and ends with the benchmark.
import process from "node:process";

process.on("message", (message) => {
  if (message !== "usage") return;
  // With `--expose-gc`, memory is what is in use.
  globalThis.gc?.();
  // All threads of the process, in microseconds.
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  const handles = process.getActiveResourcesInfo().length;
  process.send({ cpu: user + system, memory: rss, heap: heapUsed, handles });
});
process.on("disconnect", () => process.exit());
process.channel.unref();
