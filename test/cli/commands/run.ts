import { runTenon } from "../../../src/cli/commands/program.js";
import type { ExitCode } from "../../../src/cli/output/context.js";

export interface Outcome {
  readonly exitCode: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `tenon` in a folder, without a terminal. */
export async function runIn(cwd: string, ...argv: string[]): Promise<Outcome> {
  const text = { stdout: "", stderr: "" };
  const exitCode = await runTenon(argv, {
    cwd,
    stdout: { write: (chunk) => (text.stdout += chunk) },
    stderr: { write: (chunk) => (text.stderr += chunk) },
    program: "tenon",
  });
  return { exitCode, ...text };
}
