import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import process from "node:process";

/** Where a process runs: all that is measured on the first core, what measures on the second. */
export type Core = "server" | "load";

export interface ChildOptions {
  readonly core: Core;
  /** Absolute path of the Node.js that runs it. */
  readonly node: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Folder in which it runs; default: that of this process. */
  readonly cwd?: string;
  /** File descriptor that gets standard output; default: none does. */
  readonly stdout?: number;
}

/** A process of Node.js's that is asked by messages, one at a time. */
export class Child {
  readonly #process: ChildProcess;

  /** @param argv Parameters of Node.js's: the script, and what comes before and after it. */
  constructor(
    argv: readonly string[],
    { core, node, env = process.env, cwd = process.cwd(), stdout }: ChildOptions,
  ) {
    const [command = node, ...rest] = [...pin(core), node, ...argv];
    const stdio = ["ignore", stdout ?? "ignore", "inherit", "ipc"] as const;
    this.#process = spawn(command, rest, { env, cwd, stdio: [...stdio] });
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** @throws when the process ends without an answer. */
  async ask<Answer>(message: object | string): Promise<Answer> {
    const controller = new AbortController();
    try {
      const answer = once(this.#process, "message", controller) as Promise<[Answer]>;
      const end = once(this.#process, "exit", controller).then(() => {
        throw new Error("A process of the benchmark has ended");
      });
      this.#process.send(message);
      const [value] = await Promise.race([answer, end]);
      return value;
    } finally {
      controller.abort();
    }
  }

  async stop(): Promise<void> {
    if (!this.isRunning) return;
    const end = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await end;
  }
}

/** `["taskset", "-c", "0"]`, where that exists and there is a core for each; else nothing. */
function pin(core: Core): readonly string[] {
  const [server, load] = CORES;
  if (server === undefined || load === undefined) return [];
  return ["taskset", "-c", String(core === "server" ? server : load)];
}

const CORES = findCores();

/** Cores that this process may use: `0-1,4` are 0, 1 and 4. Empty where processes cannot be kept to them. */
function findCores(): readonly number[] {
  if (process.platform !== "linux" || spawnSync("taskset", ["--version"]).status !== 0) return [];
  const list = /^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "";
  return list.split(",").flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** Whether servers and load have a core each. */
export const ARE_PINNED = CORES.length > 1;
