import process from "node:process";
import { runTenon } from "./program.js";

/**
 * Runs the command that this process was called with, and leaves its exit code to the process.
 * @param program How the user calls it: `tenon`.
 */
export async function runProcess(program: string): Promise<void> {
  const { stdout, stderr } = process;
  for (const stream of [stdout, stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      // The reader has closed the pipe, as `head` does: the work continues, and its exit code is right.
      if (error.code !== "EPIPE") throw error;
    });
  }
  process.exitCode = await runTenon(process.argv.slice(2), { cwd: process.cwd(), stdout, stderr, program });
}
