import cluster, { type Worker } from "node:cluster";
import { OperatorError } from "../errors.js";
import type { Logger } from "../log.js";
import { type Metrics, SlotMetrics } from "../metrics/combined-metrics.js";
import type { FromWorker, ToWorker } from "./worker.js";

/** A worker that ends sooner, in milliseconds, is replaced after a pause, which doubles each time. */
const STABLE_MS = 60_000;
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 30_000;

/** A worker process did not start, or did not stop. The message is the one that the worker sent, if it sent one. */
export class WorkerError extends OperatorError {
  override readonly name = "WorkerError";
}

export interface WorkerSlotOptions {
  /** Value of the label `process` of its metrics: `worker-1`. */
  readonly name: string;
  readonly logger: Logger;
  /** Returns environment variables for the next worker process, besides those of this process. */
  readonly env: () => Readonly<Record<string, string>>;
  /** Returns whether a worker may listen on this URL; otherwise it is killed and replaced. */
  readonly accepts: (url: string) => boolean;
  /** A worker that misses this number of pings is killed, because its event loop is blocked. */
  readonly pingLimit: number;
  /** Called when a worker process has ended. */
  readonly onEnd: (reason: string) => void;
}

/** Keeps one worker process running: replaces it when it ends, until {@link WorkerSlot.stop}. */
export class WorkerSlot {
  readonly #options: WorkerSlotOptions;
  readonly #metrics: SlotMetrics;
  #worker: Worker | undefined;
  /** Resolves when the worker has ended: true when it ended by itself with exit code 0. */
  #end: Promise<boolean> = Promise.resolve(true);
  #isListening = false;
  #isStopping = false;
  #quickEnds = 0;
  #failedStarts = 0;
  #missedPings = 0;
  #pause: NodeJS.Timeout | undefined;

  constructor(options: WorkerSlotOptions) {
    this.#options = options;
    this.#metrics = new SlotMetrics(options.name);
  }

  get isListening(): boolean {
    return this.#isListening;
  }

  /** Number of worker processes in a row that ended before they listened. */
  get failedStarts(): number {
    return this.#failedStarts;
  }

  /**
   * Starts the first worker process.
   * @returns the URL that it listens on.
   * @throws {WorkerError} when it ends before it listens; it is not replaced.
   */
  start(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#fork(resolve, (reason) => {
        this.#isStopping = true;
        reject(new WorkerError(reason));
      });
    });
  }

  /** Checks that the worker responds, and kills it when it has missed too many pings. */
  ping(): void {
    if (this.#worker === undefined) return;
    if (this.#missedPings >= this.#options.pingLimit) {
      this.#options.logger.error({ worker: this.#worker.process.pid }, "worker does not respond");
      this.kill();
      return;
    }
    // Counted, not timed: when this process itself was blocked, the replies arrive before the next ping.
    this.#missedPings += 1;
    this.#send("ping");
  }

  /** Returns the metrics of its worker processes. A worker that takes longer than `limitMs` counts with its previous metrics. */
  async measure(limitMs: number): Promise<readonly Metrics[]> {
    this.#send("measure");
    return this.#metrics.next(this.#worker === undefined ? 0 : limitMs);
  }

  /** Stops the worker gracefully. Resolves to false when it served requests, and failed or took longer than `limitMs`. */
  async stop(limitMs: number): Promise<boolean> {
    this.#isStopping = true;
    const served = this.#isListening;
    clearTimeout(this.#pause);
    this.#send("stop");
    const limit = setTimeout(() => {
      this.kill();
    }, limitMs);
    const isClean = await this.#end;
    clearTimeout(limit);
    return isClean || !served;
  }

  /** Kills the worker at once, unlike `worker.kill`, which waits for it. */
  kill(): void {
    this.#worker?.process.kill("SIGKILL");
  }

  #send(message: ToWorker): void {
    // A worker that cannot receive it has ended, or will be killed.
    this.#worker?.send(message, () => undefined);
  }

  #fork(onListening: (url: string) => void, onFailedStart: (reason: string) => void): void {
    const { accepts, env, logger, onEnd } = this.#options;
    const worker = cluster.fork(env());
    const { pid } = worker.process;
    const started = performance.now();
    let failure: string | undefined;
    this.#worker = worker;
    this.#missedPings = 0;
    worker.on("message", (message: FromWorker) => {
      if (message === "pong") this.#missedPings = 0;
      else if ("failed" in message) failure = message.failed;
      else if ("measured" in message) this.#metrics.receive(message.measured);
      else if (!accepts(message.listening)) {
        failure = `A worker process listened on ${message.listening}, which is not the address of this service`;
        this.kill();
      } else {
        this.#isListening = true;
        this.#failedStarts = 0;
        onListening(message.listening);
      }
    });
    this.#end = toEnd(worker).then((end) => {
      const reason = failure ?? `A worker process ended ${end}`;
      this.#worker = undefined;
      this.#metrics.end();
      if (this.#isListening) this.#isListening = false;
      else {
        this.#failedStarts += 1;
        onFailedStart(failure ?? `${reason} before it listened`);
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
    const pause = Math.min(MIN_PAUSE_MS * 2 ** (this.#quickEnds - 1), MAX_PAUSE_MS);
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

/** Resolves to how the process ended: `by SIGKILL`. */
function toEnd(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.on("exit", (code: number, signal: string | null) => {
      resolve(signal === null ? `with exit code ${code}` : `by ${signal}`);
    });
    // A process that could not be created does not exit. Other errors are followed by `exit`.
    worker.on("error", ({ message }) => {
      if (worker.process.pid === undefined) resolve(`at once: ${message}`);
    });
  });
}
