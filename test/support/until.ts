import { setTimeout } from "node:timers/promises";

/** Resolves when something is so; rejects when it is not within twenty seconds, so that no test goes on for ever. */
export async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`It does not come true: ${String(isSo)}`);
    await setTimeout(5);
  }
}
