import { describe, expect, test } from "@jest/globals";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import {
  chooseContentType,
  formatMetrics,
  labelProcess,
  type Metrics,
  SlotMetrics,
} from "../../../src/petstore/metrics/combined-metrics.js";
import { limitValues } from "../../../src/petstore/metrics/service-metrics.js";
import { readExposition, type Samples } from "../../support/exposition.js";

const TEXT = "text/plain; version=0.0.4; charset=utf-8";
const OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/** Metrics of each type, as another process receives them, with label values that must be escaped. */
async function measure(times = 1): Promise<Metrics> {
  const registers = [new Registry()];
  new Counter({ name: "petstore_asked_total", help: "A \\ and\na line.", labelNames: ["by"], registers }).inc(
    { by: '"a\\b"\n' },
    times,
  );
  new Gauge({ name: "petstore_open", help: "Open.", registers }).set(times);
  new Gauge({ name: "memory", help: "Memory.", registers }).set(times);
  const took = new Histogram({ name: "petstore_took", help: "Took.", buckets: [0.5, 1], registers });
  for (const value of [0.5, 0.75, 7]) took.observe(value * times);
  return JSON.parse(JSON.stringify(await registers[0]?.getMetricsAsJSON())) as Metrics;
}

test.each([[undefined], ["*/*"], ["text/plain;version=0.0.4;q=0.5"], ["text/html"]])(
  "Accept %j gets the text format",
  async (accept) => {
    expect(chooseContentType(accept)).toBe(TEXT);
    const text = await formatMetrics([await measure()], TEXT);
    expect(text).toContain(String.raw`petstore_asked_total{by="\"a\\b\"\n"} 1`);
    expect(readExposition(text, "text").size).toBe(8);
  },
);

test("a scraper that names OpenMetrics gets it", async () => {
  const accept = "application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.3,*/*;q=0.1";
  expect(chooseContentType(accept)).toBe(OPEN_METRICS);
  const text = await formatMetrics([await measure()], OPEN_METRICS);
  expect(text).toContain("# TYPE petstore_asked counter\n");
  expect(readExposition(text, "openmetrics").size).toBe(8);
  expect(readExposition(text, "openmetrics")).toStrictEqual(
    readExposition(await formatMetrics([await measure()], TEXT), "text"),
  );
});

describe("the metrics of several processes", () => {
  const merge = async (...parts: readonly Metrics[]): Promise<Samples> =>
    readExposition(await formatMetrics(parts, TEXT), "text");

  test("are summed", async () => {
    expect(Object.fromEntries(await merge(await measure(1), await measure(2)))).toMatchObject({
      [String.raw`petstore_asked_total{by="\"a\\b\"\n"}`]: 3,
      petstore_open: 3,
      'petstore_took_bucket{le="0.5"}': 1,
      'petstore_took_bucket{le="1"}': 3,
      'petstore_took_bucket{le="+Inf"}': 6,
      petstore_took_sum: 24.75,
      petstore_took_count: 6,
    });
  });

  test("keep those that describe a process apart", async () => {
    const samples = await merge(
      labelProcess(await measure(1), "worker-1"),
      labelProcess(await measure(2), "worker-2"),
    );
    expect(samples.get('memory{process="worker-1"}')).toBe(1);
    expect(samples.get('memory{process="worker-2"}')).toBe(2);
    expect(samples.has("memory")).toBe(false);
  });

  test("contain the counts of workers that have ended, and no gauges of them", async () => {
    const slot = new SlotMetrics("worker-1");
    for (const times of [1, 2]) {
      slot.receive([await measure(times)]);
      slot.end();
    }
    const samples = await merge(...(await slot.next(0)));
    expect(samples.get(String.raw`petstore_asked_total{by="\"a\\b\"\n"}`)).toBe(3);
    expect(samples.get("petstore_took_count")).toBe(6);
    expect([...samples.keys()].join()).not.toMatch(/open|memory/);
  });
});

test("values beyond the limit share one label value", () => {
  const toLabel = limitValues(1_000);
  const labels = Array.from({ length: 5_000 }, (_, key) => toLabel(String(key)));
  expect(new Set(labels).size).toBe(1_001);
  expect(labels.at(-1)).toBe("other");
  expect(toLabel("0")).toBe("0");
});
