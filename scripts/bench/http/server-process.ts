import { closeSync, copyFileSync, ftruncateSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { Child } from "./child.js";
import type { StoreName } from "./options.js";
import { NODE_OPTIONS, type Workspace } from "./workspace.js";

const ANSWER_USAGE = new URL("answer-usage.mjs", import.meta.url).href;

/** How long a server may take to listen, in milliseconds. */
const START_LIMIT = 120_000;

/** What a process has used so far. */
export interface Usage {
  /** Microseconds that processors worked for it, all threads together. */
  readonly cpu: number;
  /** Resident memory, in bytes. */
  readonly memory: number;
  /** JavaScript objects, those included that the collector has not looked at yet; in bytes. */
  readonly heap: number;
  /** What keeps the event loop alive: connections, timers, work for the disk. */
  readonly handles: number;
}

/** Pauses of the garbage collector, in milliseconds. */
export interface Pauses {
  readonly total: number;
  readonly longest: number;
}

export interface ServerSetting {
  readonly node: string;
  readonly store: StoreName;
  readonly logs: boolean;
  /** What is asked first. Default: an animal. */
  readonly target?: string;
  /** Parameters of Node.js's that start another server than a file of the servers' folder. */
  readonly script?: readonly string[];
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A server that runs as it would in production, on a free port. */
export class ServerProcess {
  readonly #child: Child;
  readonly #log: number;
  readonly #folder: string;

  private constructor(
    child: Child,
    files: { readonly log: number; readonly folder: string },
    /** `http://127.0.0.1:41234`. */
    readonly url: string,
    /** From the start of the process to its first response, in milliseconds. */
    readonly startTime: number,
    /** Resource use by then. */
    readonly startUsage: Usage,
  ) {
    this.#child = child;
    this.#log = files.log;
    this.#folder = files.folder;
  }

  /**
   * Starts one and waits for its first answer, whatever that is.
   * @param name File of the servers' folder without `.mjs`.
   */
  static async start(
    name: string,
    { servers, temporary, database, key }: Omit<Workspace, "root">,
    { node, store, logs, target = "/v1/pets/1", script, env = {} }: ServerSetting,
  ): Promise<ServerProcess> {
    const folder = mkdtempSync(join(temporary, `${name.replaceAll("/", "-")}-`));
    const logFile = join(folder, "log");
    // Appended to, so that it can be emptied between slices.
    const log = openSync(logFile, "a");
    const ownDatabase = join(folder, "petstore.db");
    if (store === "sqlite") copyFileSync(database, ownDatabase);
    const began = performance.now();
    const argv = [...NODE_OPTIONS, "--import", ANSWER_USAGE, ...(script ?? [join(servers, `${name}.mjs`)])];
    const child = new Child(argv, {
      core: "server",
      node,
      stdout: log,
      env: {
        PATH: process.env["PATH"],
        NODE_ENV: "production",
        HOST: "127.0.0.1",
        PORT: "0",
        LOG_LEVEL: logs ? "info" : "silent",
        BENCH_KEY: key,
        ...(store === "sqlite" && { DATABASE_URL: `sqlite:${ownDatabase}` }),
        ...env,
      },
    });
    try {
      const url = await waitForUrl(name, child, logFile);
      await (await fetch(url + target)).text();
      const startTime = performance.now() - began;
      const startUsage = await child.ask<Usage>("usage");
      return new ServerProcess(child, { log, folder }, url, startTime, startUsage);
    } catch (error) {
      await child.stop();
      closeSync(log);
      throw error;
    }
  }

  usage(): Promise<Usage> {
    return this.ask("usage");
  }

  /** Returns the pauses since it was last called; the first call starts counting. */
  takePauses(): Promise<Pauses> {
    return this.ask("pauses");
  }

  /** Asks a script that was loaded into the server before it. */
  ask<Answer>(message: object | string): Promise<Answer> {
    return this.#child.ask(message);
  }

  /** Otherwise the log would fill the disk. */
  emptyLog(): void {
    ftruncateSync(this.#log);
  }

  async stop(): Promise<void> {
    await this.#child.stop();
    closeSync(this.#log);
    rmSync(this.#folder, { recursive: true });
  }
}

/** The service logs its address, the other servers print it. */
async function waitForUrl(name: string, child: Child, file: string): Promise<string> {
  const deadline = performance.now() + START_LIMIT;
  while (child.isRunning && performance.now() < deadline) {
    const url = /"url":"(http:[^"]+)"/.exec(readFileSync(file, "utf8"))?.[1];
    if (url !== undefined) return url;
    await setTimeout(2);
  }
  throw new Error(`${name} does not start: ${readFileSync(file, "utf8").slice(0, 1_000)}`);
}
