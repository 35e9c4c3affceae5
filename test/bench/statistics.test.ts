import { describe, expect, test } from "@jest/globals";
import { formatMedian, quantile, shuffle, toRatios, toSpread } from "../../scripts/bench/http/statistics.js";

describe("figures of the benchmark", () => {
  test.each([
    [[3], 0.25, 3],
    [[4, 1, 3, 2], 0.5, 2.5],
    [[1, 2, 3, 4, 5], 0.25, 2],
    [[10, 20], 0.75, 17.5],
    [[9, 10, 100], 1, 100],
  ])("of %j the quantile %d is %d", (values, part, want) => {
    expect(quantile(values, part)).toBe(want);
  });

  test("a spread has median and quartiles in three digits", () => {
    expect(toSpread([1, 1234.5, 1000, 2000, 9000])).toEqual({ median: 1230, low: 1000, high: 2000 });
  });

  test("a spread of fewer than four values has the lowest and the highest", () => {
    expect(toSpread([1234.5, 1000, 2000])).toEqual({ median: 1230, low: 1000, high: 2000 });
    expect(toSpread([1, 2, 3, 4])).toEqual({ median: 2.5, low: 1.75, high: 3.25 });
  });

  test("a spread is shown only where there is one", () => {
    expect(formatMedian(toSpread([1, 1.5, 2]), 2)).toBe("1.50 (1.00–2.00)");
    expect(formatMedian(toSpread([1.5]), 2)).toBe("1.50");
  });

  test("ratios are taken within a round, not between medians", () => {
    // The second round was slow for both.
    expect(toRatios([200, 50, 300], [100, 25, 150])).toEqual([2, 2, 2]);
  });

  test("another order has the same values", () => {
    const values = Array.from({ length: 50 }, (_, index) => index);
    const shuffled = shuffle(values);
    expect(shuffled).not.toEqual(values);
    expect([...shuffled].sort((a, b) => a - b)).toEqual(values);
  });
});
