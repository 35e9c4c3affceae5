import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Makes calls of a running process's first thread fail or take long, until the result is called.
 * @param calls As strace names them: `pwrite64`.
 * @param fault As strace's `inject` has it: `error=EROFS`, `delay_enter=3s`.
 */
export async function inject(pid: number, calls: string, fault: string): Promise<() => Promise<void>> {
  const argv = [
    "-o",
    "/dev/null",
    "-e",
    `trace=${calls}`,
    "-e",
    `inject=${calls}:${fault}`,
    "-p",
    String(pid),
  ];
  const tracer = spawn("strace", argv, { stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(tracer, "close");
  let err = "";
  tracer.stderr.on("data", (chunk) => (err += String(chunk)));
  while (!err.includes("attached")) {
    if (await Promise.race([ended.then(() => true), sleep(10, false)])) throw new Error(`strace: ${err}`);
  }
  return async () => {
    tracer.kill("SIGINT");
    await ended;
  };
}
