import { expect, test } from "@jest/globals";
import { format } from "prettier";
import type { Measured } from "../../scripts/bench/http/measure.js";
import { formatPage } from "../../scripts/bench/workers.js";

const toMeasured = (perCpuSecond: number): Measured => {
  const slice = { perSecond: 1, perCpuSecond, p50: 1, p99: 1 };
  const slices = { list20: [slice], create: [slice], read: [slice] };
  return { startTime: 1, startUsage: { cpu: 1, memory: 1 }, memory: 50_000_000 / perCpuSecond, slices };
};

test("the page compares two workers with one process of the same start, as Prettier formats it", async () => {
  const measurements = new Map([
    ["1", [toMeasured(100), toMeasured(200)]],
    ["2", [toMeasured(90), toMeasured(160)]],
  ]);
  const page = formatPage(measurements, { starts: 2, rounds: 1, seconds: 1 });
  expect(page).toBe(await format(page, { parser: "markdown", printWidth: 110 }));
  expect(page).toMatch(/^\| create +\| 0\.85 \(0\.80–0\.90\) +\|$/m);
  expect(page).toContain("Resident memory after the last round: 1.18 (1.11–1.25) times");
});
