/**
 * Events per second of the server's processor: Tenon's streams beside events that a handler writes itself with
 * `response.write(JSON.stringify(…))`, in turns. Prints the table of scripts/bench/STREAMS.md.
 *
 *     npm run -s bench -- streams [--rounds N] [--events N]
 */
import { once } from "node:events";
import process from "node:process";
import { parseArgs } from "node:util";
import { describeMachine, formatSpread, formatTable } from "./bench/report.js";
import { openStream, StreamServer } from "./bench/streams.js";

const WAYS = ["hand", "sampled", "full"] as const;
type Way = (typeof WAYS)[number];

/** Streams at the same time, and whether each event is made in a turn of the event loop of its own. */
const LOADS = [
  { name: "1 stream, events ready", streams: 1, live: 0 },
  { name: "20 streams, events ready", streams: 20, live: 0 },
  { name: "20 streams, an event a turn", streams: 20, live: 1 },
  { name: "500 streams, an event a turn", streams: 500, live: 1 },
];

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "7" }, events: { type: "string", default: "200000" } },
});
const rounds = Number(values.rounds);
const events = Number(values.events);
if (![rounds, events].every((value) => Number.isSafeInteger(value) && value > 0))
  throw new Error("--rounds and --events must be positive integers");

const server = await StreamServer.start();
try {
  const rows: string[][] = [];
  for (const load of LOADS) {
    const results: Record<Way, number>[] = [];
    // The first one is for the compiler.
    for (let round = 0; round <= rounds; round += 1) {
      const result = {} as Record<Way, number>;
      for (const way of round % 2 === 0 ? WAYS : [...WAYS].reverse()) result[way] = await measure(way, load);
      if (round > 0) results.push(result);
    }
    const of = (way: Way) => results.map((result) => result[way] / 1_000);
    const against = (way: Way) => results.map((result) => result[way] / result.hand);
    rows.push([
      load.name,
      formatSpread(of("hand"), 0),
      formatSpread(against("sampled")),
      formatSpread(against("full")),
    ]);
    process.stderr.write(`${(rows.at(-1) ?? []).join("  ")}\n`);
  }
  const head = ["Load", "By hand, 1,000 events/CPU s", "Tenon, 1 in 100 validated", "Tenon, all validated"];
  process.stdout.write(`${describeMachine()}\n\n${formatTable(head, rows)}`);
} finally {
  await server.stop();
}

/** @returns events per second of the server's processor time. */
async function measure(way: Way, { streams, live }: (typeof LOADS)[number]): Promise<number> {
  const each = Math.ceil(events / streams);
  const before = await server.usage();
  let count = 0;
  await Promise.all(
    Array.from({ length: streams }, async () => {
      const url = `${server.url}/${way}?count=${each}&live=${live}`;
      await once(await openStream(url, (found) => void (count += found)), "end");
    }),
  );
  const after = await server.usage();
  if (count !== each * streams) throw new Error(`/${way} did not send ${each * streams} events`);
  return count / ((after.cpu - before.cpu) / 1e6);
}
