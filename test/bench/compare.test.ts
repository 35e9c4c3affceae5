import { describe, expect, test } from "@jest/globals";
import {
  type Change,
  compareBuilds,
  formatChanges,
  MEMORY,
  START_CPU,
  START_TIME,
  toBuilds,
  toThroughput,
} from "../../scripts/bench/http/compare.js";
import type { Measured } from "../../scripts/bench/http/measure.js";

function measured(startTime: number, perCpuSecond: readonly number[]): Measured {
  return {
    startTime,
    startUsage: { cpu: startTime * 2, memory: 1 },
    memory: startTime * 4,
    slices: { read: perCpuSecond.map((count) => ({ perCpuSecond: count, perSecond: 1, p50: 1, p99: 1 })) },
  };
}

describe("comparison of two builds", () => {
  const [ours, old, again] = toBuilds("tenon");
  const measurements = new Map([
    // The second round of the first start was slow for all, and so was the second start.
    [ours, [measured(50, [200, 20, 220]), measured(100, [30, 30, 30])]],
    [old, [measured(100, [100, 10, 100]), measured(200, [10, 10, 10])]],
    [again, [measured(200, [100, 10, 90]), measured(200, [40, 40, 40])]],
  ]);

  test("has a ratio a start, taken within a round; the noise is that of the old build, both ways", () => {
    const figures = [toThroughput("read"), START_TIME, START_CPU, MEMORY];
    expect(compareBuilds(measurements, "tenon", figures)).toMatchObject([
      { title: "read", better: "higher", change: [2, 3], noise: [1, 4, 1, 0.25] },
      { better: "lower", change: [0.5, 0.5], noise: [2, 1, 0.5, 1] },
      { better: "lower", change: [0.5, 0.5], noise: [2, 1, 0.5, 1] },
      { better: "lower", change: [0.5, 0.5], noise: [2, 1, 0.5, 1] },
    ]);
  });

  test("of one build there is none", () => {
    const alone = new Map([[ours, measurements.get(ours) ?? []]]);
    expect(compareBuilds(alone, "tenon", [START_TIME])).toEqual([]);
    expect(formatChanges([])).toBe("");
  });

  const NOISE = [0.9, 0.96, 1, 1.04, 1.1];
  const change = (better: Change["better"], ratios: readonly number[]): Change => ({
    title: "it",
    better,
    change: ratios,
    noise: NOISE,
  });

  test.each([
    ["higher", [1.2, 1.21, 1.19, 1.2], "better"],
    ["higher", [0.8, 0.81, 0.79, 0.8], "worse"],
    ["lower", [1.2, 1.21, 1.19, 1.2], "worse"],
    ["lower", [0.8, 0.81, 0.79, 0.8], "better"],
    // The median is beyond the noise, the quartile is not.
    ["higher", [1, 1.02, 1.06, 1.1, 1.1], "within the noise"],
    ["lower", [1.05, 1.06, 1.06, 1.07, 0.1], "worse"],
  ] as const)("where %s is better, %j is %s", (better, ratios, verdict) => {
    const row = formatChanges([change(better, ratios)])
      .split("\n")
      .at(-2);
    expect(row?.split(/ *\| */).slice(3, 5)).toEqual(["1.00 (0.96–1.04)", verdict]);
  });

  test("figures that should be high and those that should be low have a table each", () => {
    const text = formatChanges([change("higher", [1]), change("lower", [1])]);
    expect(text.match(/\| new \/ old +\| old \/ old +\| Verdict +\|/g)).toHaveLength(2);
    expect(formatChanges([change("lower", [1])])).not.toContain("more is better");
  });
});
