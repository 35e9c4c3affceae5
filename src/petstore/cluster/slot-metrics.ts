import { mergeSnapshots, type Snapshot, toLasting } from "../metrics/snapshot.js";

/** What the worker processes of one slot measured, one after the other. */
export class SlotMetrics {
  /** Of those that have ended, as they told last: a counter that fell would look like a restart of the whole service. */
  #ended: Snapshot = [];
  #latest: Snapshot = [];
  #waiting: (() => void)[] = [];

  /** The worker has told what it measured. */
  told(snapshot: Snapshot): void {
    this.#latest = snapshot;
    this.#release();
  }

  /** The worker has ended. */
  end(): void {
    const snapshots = [this.#ended, toLasting(this.#latest)];
    this.#ended = mergeSnapshots(snapshots.map((snapshot) => ({ process: "", snapshot })));
    this.#latest = [];
    this.#release();
  }

  /** What is known when the worker tells next, ends, or has not told for `limitMs`. */
  async next(limitMs: number): Promise<readonly Snapshot[]> {
    await new Promise<void>((resolve) => {
      const limit = setTimeout(resolve, limitMs);
      this.#waiting.push(() => {
        clearTimeout(limit);
        resolve();
      });
    });
    return [this.#ended, this.#latest];
  }

  #release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const release of waiting) release();
  }
}
