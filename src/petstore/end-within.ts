import process from "node:process";

/** Time that stopping may take beyond the delay and the grace period, in milliseconds. */
export const STOP_MARGIN_MS = 5_000;

/** Time that the last output may take, in milliseconds. */
const OUTPUT_MS = 2_000;

/**
 * Ends the process after a time, unless it ends by itself before. Without this, output that no one reads keeps it running.
 * @param limitMs In milliseconds. Default: long enough for the last output.
 * @param exitCode Default: the one that is set then.
 */
export function endWithin(limitMs = OUTPUT_MS, exitCode?: number): void {
  setTimeout(() => {
    process.exit(exitCode);
  }, limitMs).unref();
}
