import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

const STDIO = ["pipe", "ignore", "ignore"] as const;

/** Ends the groups that still run, one function each. */
const ends = new Set<() => Promise<unknown>>();

/**
 * Makes sure that a process ends together with everything that it started: in {@link endProcesses}, or as soon as this process is
 * gone, whatever ended it.
 * @param child Started with `detached: true`, so that it leads a process group.
 */
export function guardGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  // The guard's standard input ends with this process. Ctrl-C in a terminal does not reach the guard, which leads a group too.
  const argv = ["-c", 'read -r _ || kill -s KILL -- "-$0"', String(pid)];
  const guard = spawn("/bin/sh", argv, { stdio: [...STDIO], detached: true });
  const guardClosed = once(guard, "close");
  // Everything that the process started prints to the same pipe, so that this is the end of all of it.
  const closed = once(child, "close").then(() => {
    ends.delete(end);
    guard.stdin.end("over\n");
  });
  const end = (): Promise<unknown> => {
    guard.stdin.end();
    return Promise.all([guardClosed, closed]);
  };
  ends.add(end);
}

/** Ends what tests left running, with its children; for `afterEach` or `afterAll`. */
export async function endProcesses(): Promise<void> {
  await Promise.all([...ends].map((end) => end()));
}
