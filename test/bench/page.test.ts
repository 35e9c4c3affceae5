import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { drawChart } from "../../scripts/bench/http/chart.js";
import { drawResults, formatPage, readResults } from "../../scripts/bench/http/page.js";
import type { Measured } from "../../scripts/bench/http/measure.js";
import {
  type Figures,
  type Results,
  type RunResult,
  toServerResults,
  withRun,
} from "../../scripts/bench/http/results.js";

const FOLDER = new URL("../../scripts/bench/", import.meta.url);
const NONE: Results = { runs: {}, growth: {} };

function figures(cpuRatio: number): Figures {
  return { cpuRatio, ratio: 1, perCpuSecond: 1000, perSecond: 900, p50: 1, p99: 9 };
}

/** A run of several starts, in which the servers had these ratios in the lists of 20. */
function run(
  ratios: Readonly<Partial<Record<keyof RunResult["servers"], number>>>,
  starts: readonly number[] = [0.99, 1.01, 1],
): RunResult {
  const servers = Object.entries(ratios).map(([name, ratio]) => [
    name,
    starts.map((factor) => ({
      start: 100 * factor,
      memory: 64,
      scenarios: { list20: figures(ratio * factor) },
    })),
  ]);
  const setting = { store: "memory", logs: true, node: "20.20.2", machine: "a machine" } as const;
  return { ...setting, rounds: 3, seconds: 1, servers: Object.fromEntries(servers) as RunResult["servers"] };
}

describe("page of the benchmark", () => {
  test("page and picture are what the kept results make: `npm run bench -- --page` writes them", () => {
    const results = readResults();
    expect(readFileSync(new URL("RESULTS.md", FOLDER), "utf8")).toBe(formatPage(results));
    expect(readFileSync(new URL("results.svg", FOLDER), "utf8")).toBe(drawResults(results));
  });

  test("a run takes the place of the one of its kind", () => {
    const once = withRun(NONE, run({ tenon: 1, fastify: 1 }));
    const again = withRun(once, { ...run({ fastify: 1 }), node: "20.21.0" });
    const other = withRun(again, { ...run({ fastify: 1 }), node: "24.1.0", logs: false });
    expect(Object.keys(other.runs)).toEqual(["memory, Node 20", "memory, Node 24, without logs"]);
    expect(other.runs["memory, Node 20"]?.node).toBe("20.21.0");
  });

  test("says where the service loses, and by how much", () => {
    const page = formatPage(withRun(NONE, run({ tenon: 0.5, "tenon-node": 0.8, fastify: 1, express: 0.3 })));
    expect(page).toContain("- list of 20: Fastify 2.0×\n");
  });

  test("a difference within the noise is not reported", () => {
    const page = formatPage(withRun(NONE, run({ tenon: 1, fastify: 1.005 })));
    expect(page).toContain("No other server handles more requests");
  });

  test("one start is not enough for a comparison, and has no spread", () => {
    const page = formatPage(withRun(NONE, run({ tenon: 0.5, fastify: 1 }, [1])));
    expect(page).not.toContain("Fastify 2.0×");
    expect(page).toContain("Starts: 1; rounds in each: 3;");
    expect(page).toContain("| Pet Store Service (Tenon on Express) | 0.50       |\n");
  });

  test("only what was measured has a column and a row", () => {
    const page = formatPage(withRun(NONE, run({ tenon: 1.25, fastify: 1 })));
    expect(page).toContain("| Server                               | list of 20       |\n");
    expect(page).toContain("Starts: 3; rounds in each: 3;");
    expect(page).toContain("1.25 (1.24–1.26)");
    expect(page).toContain("100 (99–101)");
    expect(page).not.toContain("| NestJS");
  });
});

describe("figures that are kept", () => {
  const measured = (perCpuSecond: readonly number[]): Measured => ({
    startTime: 123.4,
    startUsage: { cpu: 1, memory: 1 },
    memory: 64_200_000,
    slices: { read: perCpuSecond.map((count) => ({ perCpuSecond: count, perSecond: 2, p50: 3, p99: 4 })) },
  });

  test("have for each start the medians over its rounds, with ratios within a round", () => {
    const { tenon, fastify } = toServerResults(
      new Map([
        // The second round of the first start was slow for both.
        ["tenon", [measured([200, 20, 300]), measured([50, 60, 70])]],
        ["fastify", [measured([100, 10, 150]), measured([100, 100, 100])]],
      ]),
    );
    expect(tenon).toMatchObject([
      { start: 123, memory: 64, scenarios: { read: { cpuRatio: 2, perCpuSecond: 200, ratio: 1, p50: 3 } } },
      { scenarios: { read: { cpuRatio: 0.6, perCpuSecond: 60 } } },
    ]);
    expect(fastify?.map(({ scenarios }) => scenarios.read?.cpuRatio)).toEqual([1, 1]);
  });
});

describe("picture of the benchmark", () => {
  const chart = drawChart("A < B & C", [
    {
      title: "read",
      bars: [
        { label: "ours", value: 2, isOurs: true },
        { label: "theirs", value: 1, isOurs: false },
      ],
    },
  ]);
  const widthOf = (kind: string) =>
    Number(new RegExp(`class="${kind}".* width="([\\d.]+)"`).exec(chart)?.[1]);

  test("bars are as long as their values", () => {
    expect(widthOf("ours")).toBe(2 * widthOf("bar"));
  });

  test("texts are escaped", () => {
    expect(chart).toContain(">A &lt; B &amp; C</text>");
    expect(chart).not.toContain("B & C");
  });

  test("is light and dark", () => {
    expect(chart).toContain("@media (prefers-color-scheme: dark)");
  });
});
