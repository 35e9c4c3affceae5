import { StoreUnavailableError } from "./store/store.js";

export interface ShareProbeOptions {
  /** How long an outcome is told to whoever asks, in milliseconds after it was found. Default: 1,000. */
  readonly lifetimeMs?: number;
  /** What takes longer, in milliseconds, has failed. Default: 2,000. */
  readonly limitMs?: number;
  /** A clock in milliseconds that only goes forward. Default: `performance.now`. */
  readonly now?: () => number;
}

/** One probe at a time for all who ask, and not one for each: anybody may ask, as often as they like. */
export function shareProbe(
  probe: () => Promise<void>,
  { lifetimeMs = 1_000, limitMs = 2_000, now = () => performance.now() }: ShareProbeOptions = {},
): () => Promise<void> {
  let outcome = Promise.resolve();
  let until = -Infinity;
  return () => {
    if (now() < until) return outcome;
    // One that takes too long is waited for before the next is begun.
    until = Infinity;
    const work = (): Promise<void> =>
      probe().finally(() => {
        until = now() + lifetimeMs;
      });
    outcome = withLimit(work, { limitMs, now });
    return outcome;
  };
}

function withLimit(
  work: () => Promise<void>,
  { limitMs, now }: Required<Pick<ShareProbeOptions, "limitMs" | "now">>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const deadline = now() + limitMs;
    const giveUp = (): void => {
      reject(new StoreUnavailableError(`The database takes longer than ${limitMs} ms to keep anything.`));
    };
    const timer = setTimeout(giveUp, limitMs);
    work()
      .then(() => {
        // A synchronous driver stops the timer, too.
        if (now() > deadline) giveUp();
        else resolve();
      }, reject)
      .finally(() => {
        clearTimeout(timer);
      });
  });
}
