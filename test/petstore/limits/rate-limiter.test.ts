import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type Decision, RateLimiter } from "../../../src/petstore/limits/rate-limiter.js";
import type { RateStore } from "../../../src/petstore/store/store.js";
import { describeEngines } from "../store/engines.js";

/** So long that nothing is regained while a test runs: a place of 100 takes 7 hours. */
const MONTH = 30 * 86_400;

/** A limiter without a store answers at once. */
function take(limiter: RateLimiter, id = "k_1"): Decision {
  const decision = limiter.take(id);
  if (decision instanceof Promise) throw new Error("It waits");
  return decision;
}

/** How many of so many requests at once are let through. */
async function count(limiter: RateLimiter, requests: number, id = "k_1"): Promise<number> {
  const decisions = await Promise.all(Array.from({ length: requests }, async () => limiter.take(id)));
  return decisions.filter(({ isAllowed }) => isAllowed).length;
}

describe("one process", () => {
  test("lets through the limit at once, then one more for each part of the window", () => {
    let now = 1_000_000;
    const limiter = new RateLimiter({ limit: 3, windowSeconds: 30 }, { now: () => now });
    const allowed = (remaining: number, resetSeconds: number) => ({
      isAllowed: true,
      remaining,
      resetSeconds,
    });
    expect(take(limiter)).toStrictEqual(allowed(2, 10));
    now += 1_000;
    expect(take(limiter)).toStrictEqual(allowed(1, 9));
    expect(take(limiter)).toStrictEqual(allowed(0, 9));
    expect(take(limiter)).toStrictEqual({ isAllowed: false, remaining: 0, resetSeconds: 9 });
    now += 8_999;
    expect(take(limiter)).toStrictEqual({ isAllowed: false, remaining: 0, resetSeconds: 1 });
    now += 1;
    expect(take(limiter)).toStrictEqual(allowed(0, 10));
    now += 1_000_000;
    expect(take(limiter)).toStrictEqual(allowed(2, 10));
  });

  test("lets through no more than the limit and what is regained, however requests come", () => {
    const rate = fc.record({
      limit: fc.integer({ min: 1, max: 50 }),
      windowSeconds: fc.integer({ min: 1, max: 100 }),
    });
    fc.assert(
      fc.property(
        rate,
        fc.array(fc.nat({ max: 5_000 }), { maxLength: 300 }),
        ({ limit, windowSeconds }, pauses) => {
          let now = 0;
          const limiter = new RateLimiter({ limit, windowSeconds }, { now: () => now });
          const placeMs = (windowSeconds * 1000) / limit;
          const passed: number[] = [];
          for (const pause of pauses) {
            now += pause;
            const { isAllowed, remaining, resetSeconds } = take(limiter);
            if (isAllowed) passed.push(now);
            expect(isAllowed || remaining === 0).toBe(true);
            expect(remaining).toBeLessThan(limit);
            expect(resetSeconds).toBeLessThanOrEqual(Math.ceil(placeMs / 1000));
          }
          passed.forEach((start, first) => {
            passed.slice(first).forEach((end, index) => {
              expect(index + 1).toBeLessThanOrEqual(limit + Math.ceil((end - start) / placeMs + 1e-6));
            });
          });
        },
      ),
      { numRuns: 50 },
    );
  });

  test("whoever waits as long as it is told gets through", () => {
    let now = 0;
    const limiter = new RateLimiter({ limit: 7, windowSeconds: 60 }, { now: () => now });
    for (let i = 0; i < 100; i++) {
      const { isAllowed, resetSeconds } = take(limiter);
      if (isAllowed) continue;
      now += resetSeconds * 1000;
      expect(take(limiter).isAllowed).toBe(true);
    }
  });

  test("callers do not meet", () => {
    const limiter = new RateLimiter({ limit: 1, windowSeconds: MONTH });
    expect(take(limiter, "k_1").isAllowed).toBe(true);
    expect(take(limiter, "k_1").isAllowed).toBe(false);
    expect(take(limiter, "k_2").isAllowed).toBe(true);
    expect(take(limiter, "__proto__").isAllowed).toBe(true);
  });

  test("remembers a bounded number of callers, and forgets who was quiet for longest", () => {
    const limiter = new RateLimiter({ limit: 1, windowSeconds: MONTH }, { maxCallers: 100 });
    take(limiter, "busy");
    for (let i = 0; i < 10_000; i++) {
      take(limiter, `k_${i}`);
      expect(take(limiter, "busy").isAllowed).toBe(false);
    }
    expect(limiter.size).toBe(100);
  });

  test("does not forget a caller that has used up its rate, however many others come", () => {
    const limiter = new RateLimiter({ limit: 10, windowSeconds: MONTH }, { maxCallers: 100 });
    const exhausted = ["a", "b", "c"];
    for (const id of exhausted) for (let i = 0; i < 10; i++) take(limiter, id);
    for (let i = 0; i < 1_000; i++) take(limiter, `k_${i}`);
    for (const id of exhausted) expect(take(limiter, id).isAllowed).toBe(false);
  });
});

describeEngines((engine) => {
  describe("processes that share a store", () => {
    test.each([
      { limit: 10, processes: 4 },
      { limit: 100, processes: 4 },
      { limit: 400, processes: 2 },
    ])(
      "let through $limit and at most what $processes of them may not have told",
      async ({ limit, processes }) => {
        const url = await engine.create();
        const stores = await Promise.all(Array.from({ length: processes }, () => engine.open(url)));
        let queries = 0;
        const limiters = stores.map(({ rates }) => {
          const store: RateStore = {
            add(keyId, usedMs) {
              queries += 1;
              return rates.add(keyId, usedMs);
            },
          };
          return new RateLimiter({ limit, windowSeconds: MONTH }, { store });
        });
        const maxUnsynced = limiters[0]?.maxUnsynced ?? 0;
        const passed = await Promise.all(limiters.map((limiter) => count(limiter, limit)));
        const sum = passed.reduce((all, some) => all + some, 0);
        expect(sum).toBeGreaterThanOrEqual(limit);
        expect(sum).toBeLessThanOrEqual(limit + processes * maxUnsynced);
        // Each query tells of half of what may be untold at least, but for the last ones, which only ask.
        expect(queries).toBeLessThanOrEqual(sum / Math.ceil(maxUnsynced / 2) + processes);
        // Later ones are refused without a query, whichever process they come to.
        const before = queries;
        for (const limiter of limiters) expect(await count(limiter, 5)).toBe(0);
        expect(queries).toBe(before);
        await Promise.all(stores.map((store) => store.close()));
      },
    );

    test("what was used is regained as time passes", async () => {
      const store = await engine.open(await engine.create());
      const hour = 3_600_000;
      expect(await store.rates.add("k_1", hour)).toBeCloseTo(hour, 0);
      expect(await store.rates.add("k_2", 0)).toBe(0);
      const start = performance.now();
      while (performance.now() < start + 60) await store.ping();
      const used = await store.rates.add("k_1", 0);
      expect(used).toBeGreaterThan(0);
      expect(used).toBeLessThanOrEqual(hour - 59);
      await store.close();
    });

    test("a store that fails refuses nobody; the process counts for itself", async () => {
      const store = await engine.open(await engine.create());
      await store.close();
      let failures = 0;
      const onFailure = (): void => void (failures += 1);
      const limiter = new RateLimiter(
        { limit: 100, windowSeconds: MONTH },
        { store: store.rates, onFailure },
      );
      expect(await count(limiter, 150)).toBe(100);
      expect(failures).toBeGreaterThan(0);
    });
  });
});
