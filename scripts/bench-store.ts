/**
 * The SQLite store with 1,000 animals and with many: pages from the first to the last, and creations by several writers.
 * Writes `scripts/bench/STORE.md`.
 *
 *     npm run bench:store -- [--pets N] [--rounds N]
 */
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { toSpread } from "./bench/http/statistics.js";
import { describeMachine, formatTable } from "./bench/report.js";
import { measureStore, type StoreResults } from "./bench/store.js";

/** What an animal takes in the file with its index, and room to spare. */
const BYTES_PER_PET = 150;

const { values } = parseArgs({
  options: {
    pets: { type: "string", default: "10000000" },
    rounds: { type: "string", default: "15" },
  },
});
const sizes = [1_000, Number(values.pets)];
const rounds = Number(values.rounds);
if (!sizes.concat(rounds).every((value) => Number.isSafeInteger(value) && value > 0)) {
  throw new Error("--pets and --rounds must be positive integers");
}
const { bavail, bsize } = statfsSync(tmpdir());
const wanted = Math.max(...sizes) * BYTES_PER_PET;
if (bavail * bsize < wanted) throw new Error(`${tmpdir()} must have ${wanted / 1e6} MB free`);

const folder = mkdtempSync(join(tmpdir(), "tenon-bench-"));
process.once("exit", () => {
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
const page = toPage(await measureStore({ sizes, folder, rounds, pagesPerRound: 200, milliseconds: 200 }));
writeFileSync(new URL("bench/STORE.md", import.meta.url), page);
process.stdout.write(page);

function toPage({ pages, creations, bytes, flushesPerSecond }: StoreResults): string {
  const counts = sizes.map((size) => size.toLocaleString("en"));
  const pageRows = pages
    .filter(({ pets }) => pets === sizes[0])
    .map(({ place, filtered }) => [
      filtered ? `${place}, of one status` : place,
      ...sizes.map((size) => {
        const isSame = (other: (typeof pages)[number]) =>
          other.pets === size && other.place === place && other.filtered === filtered;
        return format(pages.find(isSame)?.times ?? []);
      }),
    ]);
  const creationRows = creations.map(({ pets, writers, perSecond, perCommit }) => [
    pets.toLocaleString("en"),
    String(writers),
    format(perSecond),
    format(perCommit),
  ]);
  const megabytes = bytes.map((size) => Number((size / 1e6).toPrecision(2))).join(" and ");
  return `# The store with few animals and with many

Made by \`npm run bench:store\`; do not edit. The service's own SQLite store, in one process and without HTTP, on databases with
${counts.join(" and ")} animals (${megabytes} MB), a quarter of which have the status that is filtered by. ${describeMachine()};
${rounds} rounds, all kinds in random order in each; medians, with the quartiles.

## Pages of 20, microseconds

A page takes as long wherever it is: \`where id > … order by id limit 21\` goes straight to its place in an index.
Both databases fit into the memory of this machine.

${formatTable(["Page", ...counts.map((count) => `of ${count}`)], pageRows)}
## Creations

Each writer creates one animal after another, and each is answered once it is on the disk. Those that arrive in one turn of the event
loop share a commit. This disk flushes ${format(flushesPerSecond)} pages a second; where one takes longer, a
lone writer waits for it and groups gain more.

${formatTable(["Animals before", "Writers", "Creations per second", "Creations per commit"], creationRows)}`;
}

function format(values: readonly number[]): string {
  const { median, low, high } = toSpread(values);
  const show = (value: number) => value.toLocaleString("en");
  return `${show(median)} (${show(low)}–${show(high)})`;
}
