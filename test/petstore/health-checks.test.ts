import { describe, expect, test } from "@jest/globals";
import { setImmediate } from "node:timers/promises";
import { shareProbe } from "../../src/petstore/health-checks.js";
import { StoreUnavailableError } from "../../src/petstore/store/store.js";

let time = 0;
const now = (): number => time;

describe("a shared probe", () => {
  test("is one for all who ask at once and soon after, whatever comes of it", async () => {
    let probes = 0;
    const ask = shareProbe(
      async () => {
        probes += 1;
        await setImmediate();
        if (probes === 1) throw new StoreUnavailableError("full");
      },
      { lifetimeMs: 100, now },
    );
    const asked = await Promise.allSettled([ask(), ask(), ask()]);
    expect(asked.map(({ status }) => status)).toStrictEqual(["rejected", "rejected", "rejected"]);
    await expect(ask()).rejects.toThrow("full");
    expect(probes).toBe(1);
    time += 100;
    await Promise.all([ask(), ask()]);
    expect(probes).toBe(2);
  });

  test("that takes too long has failed for all who ask, and is waited for before the next", async () => {
    let probes = 0;
    let end: () => void = () => undefined;
    const first = new Promise<void>((resolve) => (end = resolve));
    const ask = shareProbe(
      async () => {
        probes += 1;
        if (probes === 1) await first;
      },
      { lifetimeMs: 10, limitMs: 200, now },
    );
    await expect(ask()).rejects.toThrow(StoreUnavailableError);
    time += 10;
    await expect(ask()).rejects.toThrow("longer than 200 ms");
    expect(probes).toBe(1);
    end();
    await setImmediate();
    time += 10;
    await expect(ask()).resolves.toBeUndefined();
    expect(probes).toBe(2);
  });

  test("that stops the event loop for too long has failed, too", async () => {
    const ask = shareProbe(
      // eslint-disable-next-line @typescript-eslint/require-await -- It blocks, as the driver does on a slow disk.
      async () => {
        time += 60;
      },
      { limitMs: 50, now },
    );
    await expect(ask()).rejects.toThrow(StoreUnavailableError);
  });
});
