// @thorough: runs a soak.
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { format } from "prettier";
import { formatPage } from "../../scripts/soak/page.js";
import { soak } from "../../scripts/soak/run.js";
import { judge, type Window } from "../../scripts/soak/verdict.js";

const MAIN = fileURLToPath(new URL("../../src/petstore/main.ts", import.meta.url));

const still: Window = {
  perSecond: 1_000,
  p50: 1,
  p99: 10,
  memory: 100_000_000,
  heap: 20_000_000,
  handles: 2,
  refused: 0,
  failed: 0,
};
const windows = (change: (index: number) => Partial<Window>) =>
  Array.from({ length: 20 }, (_, index) => ({ ...still, ...change(index) }));

describe("the verdict", () => {
  test.each<[string, (index: number) => Partial<Window>]>([
    ["nothing changes", () => ({})],
    ["memory grows while the process gets warm", (index) => ({ memory: 1e8 + Math.min(index, 4) * 1e7 })],
    ["memory goes up and down", (index) => ({ memory: 1e8 + (index % 3) * 2e7 })],
    ["a few windows are disturbed", (index) => ({ p99: index > 17 ? 400 : 10 })],
    ["some requests are refused", () => ({ refused: 5 })],
  ])("is flat when %s", (_, change) => {
    expect(judge(windows(change)).isFlat).toBe(true);
  });

  test.each<[string, (index: number) => Partial<Window>]>([
    ["memory grows by a percent a window", (index) => ({ memory: 1e8 + index * 1e6 })],
    [
      "heap grows by a percent a window, with noise",
      (index) => ({ heap: 2e7 + index * 2e5 + (index % 2) * 1e5 }),
    ],
    ["a handle is left every five windows", (index) => ({ handles: 2 + Math.floor(index / 5) })],
    ["answers take longer and longer", (index) => ({ p99: 10 + index })],
    ["a request fails", (index) => ({ failed: index === 10 ? 1 : 0 })],
  ])("is not flat when %s", (_, change) => {
    expect(judge(windows(change)).isFlat).toBe(false);
  });
});

test("a short soak runs, with figures of each window", async () => {
  const told: number[] = [];
  const result = await soak({
    windows: 4,
    seconds: 2,
    script: ["--conditions=tenon-source", "--import", "tsx", MAIN],
    onWindow: (_, index) => told.push(index),
  });
  expect(told).toEqual([0, 1, 2, 3]);
  for (const { perSecond, p99, memory, heap, handles, failed } of result.windows) {
    for (const figure of [perSecond, p99, memory, heap, handles]) expect(figure).toBeGreaterThan(0);
    expect(memory).toBeGreaterThan(heap);
    expect(failed).toBe(0);
  }
  const page = formatPage(result, 2);
  expect(await format(page, { parser: "markdown", printWidth: 110 })).toBe(page);
});
