import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Starts a TypeScript file of this directory as a process of its own, with an IPC channel. */
export function forkScript(name: string, args: readonly string[] = []): ChildProcess {
  return fork(fileURLToPath(new URL(name, import.meta.url)), args, {
    execArgv: ["--disable-warning=ExperimentalWarning", "--conditions=tenon-source", "--import", "tsx"],
  });
}
