// Sends and receives large bodies, and prints how much the memory of the service grows.
//
//   npm run test:long -- large-bodies [--megabytes 2000]
//
// Exits 1 where it grows by 64 MB or more.
import { parseArgs } from "node:util";
import { measureLargeBody, MOST_GROWTH, WAYS } from "../test/support/large-bodies/measure.js";

const { values } = parseArgs({ options: { megabytes: { type: "string", default: "2000" } } });
const bytes = Number(values.megabytes) * 1_000_000;
const toMegabytes = (count: number) => Math.round(count / 1_000_000);

process.stdout.write("| body | MB | seconds | MB/s | growth in MB |\n| --- | --: | --: | --: | --: |\n");
for (const way of WAYS) {
  const { arrived, seconds, growth } = await measureLargeBody(way, bytes);
  const cells = [
    toMegabytes(arrived),
    seconds.toFixed(1),
    toMegabytes(arrived / seconds),
    toMegabytes(growth),
  ];
  process.stdout.write(`| ${[way, ...cells].join(" | ")} |\n`);
  if (growth >= MOST_GROWTH || arrived < bytes * 0.99) process.exitCode = 1;
}
