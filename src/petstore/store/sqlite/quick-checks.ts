import { once } from "node:events";
import { statSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { findDriverModule } from "./driver.js";

/** Databases up to this size, in bytes, are checked as a whole; that takes about half a second. */
export const CHECKED_BYTES = 256 * 2 ** 20;

/** Code of the thread, which posts true when the database is corrupt. A file of its own would have another name in the build. */
const CHECK = `
const { parentPort, workerData } = require("node:worker_threads");
const { DatabaseSync } = require(workerData.driver);
try {
  const database = new DatabaseSync(workerData.path, { readOnly: true });
  const { quick_check: verdict } = database.prepare("pragma quick_check(1)").get();
  database.close();
  parentPort.postMessage(verdict !== "ok");
} catch ({ errcode }) {
  // SQLITE_CORRUPT and SQLITE_NOTADB. Anything else, such as a removed file, is noticed before the next commit.
  parentPort.postMessage([11, 26].includes(errcode & 0xff));
}`;

export interface QuickCheckOptions {
  /** Time between two checks, in milliseconds. */
  readonly intervalMs: number;
  /** Returns false when the file must not be opened: SQLite deletes the log of an empty one. */
  readonly isIntact: () => boolean;
  readonly onCorrupt: () => void;
}

/**
 * Checks the structure of a database again and again, in a thread with a connection of its own, so that the event loop goes on.
 * Databases of more than {@link CHECKED_BYTES} are left out: the service waits for the check when it stops.
 * @returns a function that stops the checks and waits for the one that runs.
 */
export function startQuickChecks(
  path: string,
  { intervalMs, isIntact, onCorrupt }: QuickCheckOptions,
): () => Promise<void> {
  let worker: Worker | undefined;
  const check = (): void => {
    if (worker !== undefined || !isIntact()) return;
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? Infinity;
    if (size > CHECKED_BYTES) return;
    worker = new Worker(CHECK, {
      eval: true,
      // Not those of the process: they may load a tracing library.
      execArgv: ["--disable-warning=ExperimentalWarning"],
      workerData: { driver: findDriverModule(), path },
    });
    worker.unref();
    worker.on("message", (isCorrupt) => {
      if (isCorrupt === true) onCorrupt();
    });
    // A thread that cannot start, for example without memory, says nothing about the database. The next one may.
    worker.on("error", () => undefined);
    worker.on("exit", () => (worker = undefined));
  };
  const timer = setInterval(check, intervalMs).unref();
  return async () => {
    clearInterval(timer);
    // @photostructure/sqlite 1.2.1 aborts the process when its thread is terminated.
    if (worker === undefined) return;
    worker.ref();
    await once(worker, "exit");
  };
}
