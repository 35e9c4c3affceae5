import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { toCompiled } from "./compiled.js";
import { callsTo, PATIENT, type PetStore } from "./petstore.js";
import { guardGroup } from "./process-group.js";

export { endProcesses } from "./process-group.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface ProcessOptions {
  /** Environment variables besides PATH. Default: any free port, an in-memory database, {@link PATIENT}. */
  readonly env?: Readonly<Record<string, string>>;
  /** Folder that the process runs in. Default: this repository. */
  readonly root?: string;
  /** Source of the module to run, which is compiled. Default: `src/petstore/main.ts`. */
  readonly main?: string;
  /** Program and parameters that start it. Default: Node.js runs `main`. */
  readonly command?: readonly [string, ...string[]];
  /** Where standard output goes, as a file descriptor. Default: it is read, see {@link PetStoreProcess.out}. */
  readonly stdout?: number;
}

/** The service as a process of its own, as `npm start` would run it. */
export interface PetStoreProcess {
  /** What it wrote so far, line by line. */
  readonly out: readonly string[];
  readonly err: readonly string[];
  /** Removes the lines of both streams that were read so far. */
  forget(): void;
  /** Resolves when a line of either stream matches; rejects when it ends before. */
  says(line: RegExp): Promise<void>;
  /** Resolves to the address when it says that it listens; rejects when it ends before. */
  listening(): Promise<string>;
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when it is over and all it wrote was read. */
  ended(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export function startProcess({
  env,
  root = ROOT,
  main = "src/petstore/main.ts",
  command = [process.execPath, "--disable-warning=ExperimentalWarning", toCompiled(main)],
  stdout,
}: ProcessOptions = {}): PetStoreProcess {
  const [program, ...argv] = command;
  const child = spawn(program, argv, {
    cwd: root,
    // Nothing of this process's environment: its NODE_OPTIONS and settings are none of the service's business.
    env: { PATH: process.env["PATH"], PORT: "0", DATABASE_URL: "sqlite::memory:", ...PATIENT, ...env },
    stdio: ["ignore", stdout ?? "pipe", "pipe"],
    detached: true,
  });
  guardGroup(child);
  const out: string[] = [];
  const err: string[] = [];
  if (child.stdout !== null) createInterface(child.stdout).on("line", (line) => out.push(line));
  if (child.stderr !== null) createInterface(child.stderr).on("line", (line) => err.push(line));
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;

  async function says(line: RegExp): Promise<void> {
    while (![...out, ...err].some((text) => line.test(text))) {
      const running = await Promise.race([setTimeout(10, true), closed.then(() => false)]);
      if (!running) throw new Error(`The service ended before it said ${String(line)}: ${err.join("\n")}`);
    }
  }

  return {
    pid: child.pid ?? 0,
    out,
    err,
    forget() {
      out.length = err.length = 0;
    },
    says,
    async listening() {
      await says(/"listening"/);
      const line = out.find((text) => text.includes('"listening"')) ?? "";
      return (JSON.parse(line) as { url: string }).url;
    },
    kill(signal) {
      child.kill(signal);
    },
    async ended() {
      const [code, signal] = await closed;
      return { code, signal };
    },
  };
}

/** A process that serves, and calls to it with the key that its first start has made. */
export interface ServingProcess extends PetStoreProcess {
  readonly calls: Omit<PetStore, "stop">;
}

export async function startServing(options: ProcessOptions = {}): Promise<ServingProcess> {
  const service = startProcess(options);
  const url = await service.listening();
  await service.says(/^ {2}petstore_/);
  const key = service.err.find((line) => line.startsWith("  petstore_"))?.trim() ?? "";
  return { ...service, calls: callsTo(url, key) };
}
