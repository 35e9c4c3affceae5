import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { drawChart } from "../../scripts/bench/http/chart.js";
import { drawResults, formatPage, readResults } from "../../scripts/bench/http/page.js";
import { type Figures, type Results, type RunResult, withRun } from "../../scripts/bench/http/results.js";

const FOLDER = new URL("../../scripts/bench/", import.meta.url);
const NONE: Results = { runs: {}, growth: {} };

function figures(cpuRatio: number): Figures {
  const of = (median: number) => ({ median, low: median * 0.99, high: median * 1.01 });
  return {
    cpuRatio: of(cpuRatio),
    ratio: of(1),
    perCpuSecond: of(1000),
    perSecond: of(900),
    p50: of(1),
    p99: of(9),
  };
}

/** A run in which the servers did so much in the lists of 20. */
function run(ratios: Readonly<Partial<Record<keyof RunResult["servers"], number>>>): RunResult {
  const servers = Object.entries(ratios).map(([name, ratio]) => [
    name,
    { start: { median: 100, low: 90, high: 110 }, memory: 64, scenarios: { list20: figures(ratio) } },
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

  test("what may be noise is no loss", () => {
    const page = formatPage(withRun(NONE, run({ tenon: 1, fastify: 1.005 })));
    expect(page).toContain("no other does more than the service");
  });

  test("only what was measured has a column and a row", () => {
    const page = formatPage(withRun(NONE, run({ tenon: 1.25, fastify: 1 })));
    expect(page).toContain("| Server                               | list of 20       |\n");
    expect(page).toContain("1.25 (1.24–1.26)");
    expect(page).not.toContain("| NestJS");
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
