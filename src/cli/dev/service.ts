import cluster, { type Worker } from "node:cluster";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, join, relative } from "node:path";
import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { UsageError } from "../output/context.js";

/** With this file's own extension: Tenon's sources run from sources. */
const CHILD = fileURLToPath(new URL(`./service-child${extname(import.meta.url)}`, import.meta.url));

/** How long a service may take to listen, in milliseconds; far longer than a slow machine needs. */
const START_LIMIT = 60_000;

/** How long a service that is to stop may take to finish what it is answering, in milliseconds. */
export const STOP_LIMIT = 5_000;

/** Message that ends the event streams of docs pages in a worker that is to stop. */
const STOPPING = "tenon: stopping";

/** Any message makes a waiting worker start the service. */
const START = "start";

export interface ServiceOptions {
  /** Absolute path of the module that starts the service. */
  readonly main: string;
  readonly cwd: string;
  /** How long the service may take to listen, in milliseconds. Default: 60,000. */
  readonly startLimit?: number | undefined;
  /** Called when the running service ends by itself. */
  readonly onEnd: (how: string) => void;
}

export interface Service {
  readonly running: boolean;
  /**
   * Starts the service anew. Once the new one listens, the old one finishes what it is answering and stops; when the new one
   * does not come up, the old one goes on.
   * @returns undefined, or why the new one did not come up.
   */
  restart(): Promise<string | undefined>;
  /** Tells that Tenon's own files changed, which the waiting worker has loaded. */
  renew(): void;
  stop(): Promise<void>;
}

/** A worker that has loaded what every service needs, and not yet the service. */
interface Spare {
  readonly worker: Worker;
  /** Settles once the worker waits for {@link START}. */
  readonly waits: Promise<unknown>;
}

/**
 * Runs the service as a worker of Node's cluster. The port belongs to this process, so that the old service and the new one
 * can both listen on it, and no request finds nobody there. A worker also ends when this process does, however it does: at once
 * when it notices that the channel is closed, and otherwise killed by a thread of its own.
 *
 * One more worker always waits, with Node, tsx and the runtime loaded: a restart takes as long as the service's own modules.
 * @throws {UsageError} when tsx is not installed.
 */
export function createService({ main, cwd, startLimit = START_LIMIT, onEnd }: ServiceOptions): Service {
  // Workers accept connections themselves: this process is deaf while it checks types.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({
    exec: CHILD,
    args: [main],
    execArgv: [...process.execArgv, "--import", resolveTsx(cwd)],
  });
  const workers = new Set<Worker>();
  let current: Worker | undefined;
  let ended = false;
  const isEnded = () => ended;
  let spare: Spare | undefined = startSpare();

  function startSpare(): Spare {
    const worker = cluster.fork({ TENON_DEV: "1" });
    const waits = new Promise((resolve) => worker.once("message", resolve));
    workers.add(worker);
    // What is said to a worker that has just ended cannot be sent, which is an error; its end is an event of its own.
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
      if (isEnded()) return "it is to stop";
      if (!existsSync(main)) return `there is no ${relative(cwd, main)}`;
      const { worker: next, waits } = spare ?? startSpare();
      spare = undefined;
      void waits.then(() => next.send(START));
      const failure = await waitUntilListening(next, startLimit);
      // The Ctrl-C that ended the worker is this process's too, in a moment.
      if (failure !== undefined) await setImmediate();
      // Nobody would end one that started now.
      if (isEnded()) return "it is to stop";
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
    renew() {
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
    const message = "The service is started with tsx, which is not installed: npm install --save-dev tsx";
    throw new UsageError(message, { cause });
  }
}

function waitUntilListening(worker: Worker, startLimit: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const limit = setTimeout(() => {
      resolve(`it does not listen after ${startLimit / 1000} s`);
    }, startLimit);
    const settle = (failure?: string) => {
      clearTimeout(limit);
      resolve(failure);
    };
    worker.once("listening", () => {
      settle();
    });
    worker.once("exit", (code, signal) => {
      settle(`it ended before it listened, ${describeEnd(code, signal)}`);
    });
  });
}

async function stopWorker(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const ended = new Promise((resolve) => worker.once("exit", resolve));
  const limit = setTimeout(() => worker.process.kill("SIGKILL"), STOP_LIMIT);
  // First off the port, so that no new request goes to it; the channel would keep a service alive that has ended otherwise.
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
