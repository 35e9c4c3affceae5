/**
 * Child process of `global-setup.js`: runs a server, prints its address, and ends it when standard input ends, so that
 * none is left however the tests end.
 */
import { once } from "node:events";
import process from "node:process";
import { PostgresServer } from "./server.js";

// Ctrl-C goes to the whole group; the tests' end is what counts.
process.on("SIGINT", () => undefined);
try {
  const server = await PostgresServer.create();
  process.stdout.write(`${server.url}\n`);
  process.stdin.resume();
  await once(process.stdin, "close");
  await server.destroy();
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
}
