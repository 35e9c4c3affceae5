import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { Keys } from "../../../src/petstore/keys/keys.js";
import { openStore } from "../../../src/petstore/store/open.js";
import { toCompiled } from "../compiled.js";
import { guardGroup } from "../process-group.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const FLAGS = ["--disable-warning=ExperimentalWarning"];

/** Arguments of Node.js that run the service as it is built. */
export const BUILT: readonly string[] = [...FLAGS, "dist/src/petstore/main.js"];

/** Arguments of Node.js that run the service, or a module that breaks it on purpose, compiled from the present sources. */
export function toSource(main = "src/petstore/main.ts"): readonly string[] {
  return [...FLAGS, toCompiled(main)];
}

export interface RunOptions {
  /** Arguments of Node.js: {@link BUILT} or {@link toSource}. */
  readonly argv: readonly string[];
  readonly databaseUrl: string;
  /** Environment variables besides. */
  readonly env?: Readonly<Record<string, string>>;
  /** Command that runs it, with its arguments. */
  readonly under?: readonly string[];
  /** User that it runs as. */
  readonly uid?: number;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly err: string;
}

/** The service, as a group of processes of its own. */
export interface RunningService {
  readonly port: number;
  /** Of its first process. */
  readonly pid: number;
  /** Resolves when none of its processes is left. */
  readonly ended: Promise<Ended>;
  /** Ends all of its processes at once, with -9. */
  kill(): Promise<void>;
}

/** Starts the service without waiting for it. */
export function launch({ argv, databaseUrl, env, under = [], uid }: RunOptions): {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly ended: Promise<Ended>;
} {
  const [command = process.execPath, ...rest] = [...under, process.execPath, ...argv];
  const child = spawn(command, rest, {
    cwd: ROOT,
    env: {
      PATH: process.env["PATH"],
      NODE_ENV: "production",
      HOST: "127.0.0.1",
      PORT: "0",
      DRAIN_DELAY_MS: "0",
      DATABASE_URL: databaseUrl,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, which is killed as one.
    detached: true,
    ...(uid !== undefined && { uid, gid: uid }),
  });
  guardGroup(child);
  let err = "";
  child.stderr.on("data", (chunk) => (err += String(chunk)));
  // Not `exit`: its output is closed when the last process that has it is gone.
  const ended = once(child, "close").then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    err,
  }));
  return { child, ended };
}

/**
 * Starts the service and waits until it listens.
 * @throws when it ends before.
 */
export async function runService(options: RunOptions): Promise<RunningService> {
  const { child, ended } = launch(options);
  const lines = createInterface(child.stdout);
  const listening = new Promise<{ pid: number; url: string }>((resolve) => {
    lines.on("line", (line) => {
      if (line.includes('"listening"')) resolve(JSON.parse(line) as { pid: number; url: string });
    });
  });
  const { pid, url } = await Promise.race([
    listening,
    ended.then(({ err }) => {
      throw new Error(`The service ended before it listened: ${err}`);
    }),
  ]);
  return {
    pid,
    port: Number(new URL(url).port),
    ended,
    async kill() {
      killGroup(child.pid);
      await ended;
    },
  };
}

/** Process ids of the processes that a process started; Linux only. */
export function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return text === "" ? [] : text.split(" ").map(Number);
}

/** A key for the calls to a service that is yet to start; brings the schema up to date. */
export async function issueKey(databaseUrl: string): Promise<string> {
  const store = await openStore(databaseUrl);
  const { key } = await new Keys(store.keys).issue({ name: "faults" });
  await store.close();
  return key;
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
