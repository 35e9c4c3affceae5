import cluster, { type Worker } from "node:cluster";
import type { Logger } from "../log.js";
import type { Snapshot } from "../metrics/snapshot.js";
import type { FromWorker, ToWorker } from "./messages.js";
import { SlotMetrics } from "./slot-metrics.js";

/** A worker that lived for less ended quickly: the next one waits, the longer the more often that happened. */
const STABLE_MS = 60_000;
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;

/** A worker process did not start. The message is one line, or what the worker told. */
export class WorkerError extends Error {
  override readonly name = "WorkerError";
}

export interface WorkerSlotOptions {
  readonly logger: Logger;
  /** Environment variables that the next worker process gets besides this process's. */
  readonly env: () => Readonly<Record<string, string>>;
  /** So many pings without an answer end a worker: its event loop is blocked. */
  readonly pingLimit: number;
  /** A worker process ended, whether it is replaced or not. */
  readonly onEnd: (reason: string) => void;
}

/** Keeps one worker process running: one that ends is replaced, until {@link WorkerSlot.stop}. */
export class WorkerSlot {
  readonly #options: WorkerSlotOptions;
  readonly #metrics = new SlotMetrics();
  #worker: Worker | undefined;
  /** Resolves when the worker has ended, to whether it did so of its own accord and well. */
  #end: Promise<boolean> = Promise.resolve(true);
  #isListening = false;
  #isStopping = false;
  #quickEnds = 0;
  #failedStarts = 0;
  #unanswered = 0;
  #pause: NodeJS.Timeout | undefined;

  constructor(options: WorkerSlotOptions) {
    this.#options = options;
  }

  get isListening(): boolean {
    return this.#isListening;
  }

  /** Worker processes in a row that ended before they listened. */
  get failedStarts(): number {
    return this.#failedStarts;
  }

  /**
   * Starts the first worker process.
   * @returns The URL that it listens on.
   * @throws {WorkerError} when it ends before it listens; it is not replaced then.
   */
  start(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#fork(resolve, (reason) => {
        this.#isStopping = true;
        reject(new WorkerError(reason));
      });
    });
  }

  /** Asks whether the worker still answers; ends it when it has not for too long. */
  ping(): void {
    if (this.#worker === undefined) return;
    if (this.#unanswered >= this.#options.pingLimit) {
      this.#options.logger.error({ worker: this.#worker.process.pid }, "worker does not answer");
      this.kill();
      return;
    }
    // Counted, not timed: a primary that was itself held up asks once more, and then hears the answers.
    this.#unanswered += 1;
    this.#send("ping");
  }

  /** What its worker processes measured, those that have ended first; of one that does not tell within `limitMs`, what it told last. */
  async measure(limitMs: number): Promise<readonly Snapshot[]> {
    this.#send("measure");
    return this.#metrics.next(this.#worker === undefined ? 0 : limitMs);
  }

  /** Drains the worker; resolves when it has ended, to whether it did so well and within `limitMs`. */
  async stop(limitMs: number): Promise<boolean> {
    this.#isStopping = true;
    clearTimeout(this.#pause);
    this.#send("stop");
    const limit = setTimeout(() => {
      this.kill();
    }, limitMs);
    const isClean = await this.#end;
    clearTimeout(limit);
    return isClean;
  }

  /** Ends the worker at once. Not `worker.kill`, which waits for it. */
  kill(): void {
    this.#worker?.process.kill("SIGKILL");
  }

  #send(message: ToWorker): void {
    // What cannot be sent has ended, or will by `kill`.
    this.#worker?.send(message, () => undefined);
  }

  #fork(onListening: (url: string) => void, onFailedStart: (reason: string) => void): void {
    const { env, logger, onEnd } = this.#options;
    const worker = cluster.fork(env());
    const { pid } = worker.process;
    const started = performance.now();
    let told: string | undefined;
    this.#worker = worker;
    this.#unanswered = 0;
    worker.on("message", (message: FromWorker) => {
      if (message === "pong") this.#unanswered = 0;
      else if ("failed" in message) told = message.failed;
      else if ("measured" in message) this.#metrics.told(message.measured);
      else {
        this.#isListening = true;
        this.#failedStarts = 0;
        onListening(message.listening);
      }
    });
    this.#end = toEnd(worker).then((end) => {
      const reason = told ?? `A worker process ended ${end}`;
      this.#worker = undefined;
      this.#metrics.end();
      if (this.#isListening) this.#isListening = false;
      else {
        this.#failedStarts += 1;
        onFailedStart(told ?? `${reason} before it listened`);
      }
      if (!this.#isStopping) {
        logger.error({ worker: pid, reason }, "worker ended");
        this.#replace(performance.now() - started);
      }
      onEnd(reason);
      return end === CLEAN_END;
    });
  }

  #replace(livedMs: number): void {
    this.#quickEnds = livedMs < STABLE_MS ? this.#quickEnds + 1 : 0;
    const pause = Math.min(SHORTEST_PAUSE_MS * 2 ** (this.#quickEnds - 1), LONGEST_PAUSE_MS);
    this.#pause = setTimeout(
      () => {
        this.#fork(
          () => {
            this.#options.logger.info({ worker: this.#worker?.process.pid }, "worker replaced");
          },
          () => undefined,
        );
      },
      this.#quickEnds === 0 ? 0 : pause,
    );
  }
}

const CLEAN_END = "with exit code 0";

/** Resolves when the process has ended, to how: `by SIGKILL`. */
function toEnd(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.on("exit", (code: number, signal: string | null) => {
      resolve(signal === null ? `with exit code ${code}` : `by ${signal}`);
    });
    // A process that could not even be made has no exit; other errors are of what an `exit` follows.
    worker.on("error", ({ message }) => {
      if (worker.process.pid === undefined) resolve(`at once: ${message}`);
    });
  });
}
