import { setTimeout } from "node:timers/promises";

/**
 * How long a test waits for an event before it reports that the event did not happen, in milliseconds. Far longer than a machine
 * that is ten times slower needs, and shorter than Jest's `testTimeout`, which cannot say what was missing.
 */
export const GIVE_UP_MS = 300_000;

/** Resolves when the condition holds; rejects when it does not within {@link GIVE_UP_MS}. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + GIVE_UP_MS;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`This never became true: ${String(isSo)}`);
    await setTimeout(5);
  }
}
