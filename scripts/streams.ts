// Keeps streams of events open for a long time, and prints the memory of the server. Exits 1 when it grows, or when a stream ends.
//
//   npm run test:long -- streams [--streams 1000] [--minutes 10]
import process from "node:process";
import { parseArgs } from "node:util";
import { holdStreams, StreamServer } from "./bench/streams.js";
import { judge } from "./soak/verdict.js";

const { values } = parseArgs({
  options: { streams: { type: "string", default: "1000" }, minutes: { type: "string", default: "10" } },
});
const [streams, minutes] = [Number(values.streams), Number(values.minutes)];
if (!(streams > 0) || !(minutes > 0)) throw new Error("--streams and --minutes must be positive numbers");

const WINDOWS = 20;
const server = await StreamServer.start(["--expose-gc"]);
try {
  const windows = await holdStreams(server, {
    streams,
    pause: 250,
    windows: WINDOWS,
    seconds: (minutes * 60) / WINDOWS,
    onWindow: ({ perSecond, memory, heap }) => {
      const [all, objects] = [memory, heap].map((bytes) => (bytes / 2 ** 20).toFixed(1));
      process.stdout.write(`${perSecond.toFixed(0)} events/s  ${all} MiB  heap ${objects} MiB\n`);
    },
  });
  const { growth, failed, isFlat } = judge(windows);
  const [memory, heap] = [growth.memory, growth.heap].map((part) => `${(100 * part).toFixed(1)} %`);
  process.stdout.write(
    `${streams} streams for ${minutes} minutes: memory ${memory}, heap ${heap}, ${failed} ended\n`,
  );
  process.exitCode = isFlat ? 0 : 1;
} finally {
  await server.stop();
}
