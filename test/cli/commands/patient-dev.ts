/** `tenon dev` with a limit for the service's start that is longer than any test waits. */
import process from "node:process";
import { runDev } from "../../../src/cli/commands/dev.js";

const { stdout, stderr } = process;
process.exitCode = await runDev(
  { startLimit: 24 * 3_600 },
  { cwd: process.cwd(), stdout, stderr, program: "tenon" },
);
