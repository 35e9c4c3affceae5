// Loaded into every server that a benchmark measures: tells what the process used when asked, and ends with the benchmark.
import process from "node:process";

process.on("message", () => {
  // All threads of the process, in microseconds.
  const { user, system } = process.cpuUsage();
  process.send({ cpu: user + system, memory: process.memoryUsage.rss() });
});
process.on("disconnect", () => process.exit());
process.channel.unref();
