import cluster, { type Worker } from "node:cluster";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { UsageError } from "../output/context.js";
import { showPath } from "../output/show-path.js";

/** A source when this file is one. */
const CHILD = fileURLToPath(new URL(`./service-child${extname(import.meta.url)}`, import.meta.url));

/** How long a service may take to listen, in milliseconds; far longer than a slow machine needs. */
const START_LIMIT = 60_000;

/** How long a stopping service may take to finish its responses, in milliseconds. */
export const STOP_LIMIT = 5_000;

/** Message that ends the event streams of docs pages in a stopping worker. */
const STOPPING = "tenon: stopping";

/** Any message makes a waiting worker start the service. */
const START = "start";

export interface ServiceOptions {
  /** Absolute path of the module that starts the service. */
  readonly main: string;
  readonly cwd: string;
  /** How long the service may take to listen, in milliseconds. Default: 60,000. */
  readonly startLimit?: number | undefined;
  /** Port of 127.0.0.1 that debuggers connect to; 0 for any free one. A debugged service ends before the next one starts. */
  readonly inspect?: number | undefined;
  /** Called when the running service ends by itself. */
  readonly onEnd: (how: string) => void;
}

export interface Service {
  readonly running: boolean;
  /**
   * Starts a new service. Once it listens, the old one finishes its responses and stops. When the new one does not start, the
   * old one continues.
   * @returns The reason why the new one did not start; undefined when it did.
   */
  restart(): Promise<string | undefined>;
  /** Ends a service that is still starting, because a later save replaces it. @returns false if none is starting. */
  cancelStart(): boolean;
  /** Replaces the waiting worker, which has loaded Tenon's own files, after these have changed. */
  renew(): void;
  stop(): Promise<void>;
}

/** A worker that has loaded everything but the service. */
interface Spare {
  readonly worker: Worker;
  /** Settles once the worker waits for {@link START}. */
  readonly waits: Promise<unknown>;
}

/**
 * Runs the service as a worker of Node's cluster. The port belongs to this process, so that the old and the new service can both
 * listen on it and no request is refused. A worker never outlives this process: it ends when the channel closes, or a thread of
 * its own kills it.
 *
 * Another worker waits with Node, tsx and the runtime loaded, so that a restart only loads the service's own modules.
 * @throws {UsageError} when tsx is not installed.
 */
export function createService(options: ServiceOptions): Service {
  const { main, cwd, startLimit = START_LIMIT, inspect, onEnd } = options;
  // Workers accept connections themselves, because this process is blocked while it checks types.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({
    exec: CHILD,
    args: [main, ...(inspect === undefined ? [] : [String(inspect)])],
    execArgv: [...process.execArgv, "--import", resolveTsx(cwd)],
  });
  const workers = new Set<Worker>();
  let current: Worker | undefined;
  let starting: Worker | undefined;
  let ended = false;
  const isEnded = () => ended;
  let spare: Spare | undefined = startSpare();

  function startSpare(): Spare {
    const worker = cluster.fork({ TENON_DEV: "1" });
    const waits = new Promise((resolve) => worker.once("message", resolve));
    workers.add(worker);
    // Sending to a worker that has just ended is an error, but its end is an event of its own.
    worker.on("error", () => undefined);
    worker.once("exit", () => {
      workers.delete(worker);
      if (spare?.worker === worker) spare = undefined;
    });
    return { worker, waits };
  }

  function dropSpare(): void {
    if (spare === undefined) return;
    workers.delete(spare.worker);
    spare.worker.process.kill("SIGKILL");
  }

  return {
    get running() {
      return current !== undefined;
    },
    async restart() {
      if (isEnded()) return "it is stopping";
      if (!existsSync(main)) return `${showPath(main, cwd)} does not exist`;
      if (inspect !== undefined && current !== undefined) {
        const debugged = current;
        current = undefined;
        // It holds the debugger's port.
        await stopWorker(debugged);
        if (isEnded()) return "it is stopping";
      }
      const { worker: next, waits } = spare ?? startSpare();
      spare = undefined;
      void waits.then(() => next.send(START));
      starting = next;
      const failure = await waitUntilListening(next, startLimit);
      starting = undefined;
      // A Ctrl-C that ended the worker reaches this process a moment later.
      if (failure !== undefined) await setImmediate();
      // A worker that started now would never be stopped.
      if (isEnded()) return "it is stopping";
      spare = startSpare();
      if (failure !== undefined) {
        next.process.kill("SIGKILL");
        return failure;
      }
      const last = current;
      current = next;
      next.once("exit", (code, signal) => {
        if (current !== next) return;
        current = undefined;
        onEnd(describeEnd(code, signal));
      });
      if (last !== undefined) void stopWorker(last);
      return undefined;
    },
    cancelStart: () => starting?.process.kill("SIGKILL") ?? false,
    renew() {
      if (isEnded()) return;
      dropSpare();
      spare = startSpare();
    },
    async stop() {
      ended = true;
      current = undefined;
      dropSpare();
      await Promise.all([...workers].map(stopWorker));
    },
  };
}

function resolveTsx(cwd: string): string {
  try {
    return pathToFileURL(createRequire(join(cwd, "package.json")).resolve("tsx")).href;
  } catch (cause) {
    const message = "tsx, which starts the service, is not installed. Run: npm install --save-dev tsx";
    throw new UsageError(message, { cause });
  }
}

function waitUntilListening(worker: Worker, startLimit: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const limit = setTimeout(() => {
      resolve(`it was not listening after ${startLimit / 1000} s`);
    }, startLimit);
    const settle = (failure?: string) => {
      clearTimeout(limit);
      resolve(failure);
    };
    worker.once("listening", () => {
      settle();
    });
    worker.once("exit", (code, signal) => {
      settle(`it ended ${describeEnd(code, signal)} before it was listening`);
    });
  });
}

async function stopWorker(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const ended = new Promise((resolve) => worker.once("exit", resolve));
  const limit = setTimeout(() => worker.process.kill("SIGKILL"), STOP_LIMIT);
  // Leaves the port first, so that it gets no new request; an open channel would keep it alive.
  if (worker.isConnected()) {
    worker.send(STOPPING);
    worker.disconnect();
  }
  worker.process.kill("SIGTERM");
  await ended;
  clearTimeout(limit);
}

function describeEnd(code: number, signal: string): string {
  return signal ? `by ${signal}` : `with exit code ${code}`;
}
