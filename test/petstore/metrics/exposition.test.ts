import { describe, expect, test } from "@jest/globals";
import { chooseFormat } from "../../../src/petstore/metrics/exposition.js";
import { Registry } from "../../../src/petstore/metrics/instruments.js";
import { mergeSnapshots, type Snapshot, toLasting } from "../../../src/petstore/metrics/snapshot.js";
import { readExposition } from "../../support/exposition.js";

/** One of each, with values that must be escaped. */
function measure(times = 1): Snapshot {
  const registry = new Registry();
  const asked = registry.tallies({
    name: "asked",
    help: "A \\ and\na line.",
    type: "counter",
    labels: ["by"],
  });
  const open = registry.tallies({ name: "open", help: "Open.", type: "gauge" });
  const took = registry.histograms({ name: "took", help: "Took.", type: "histogram", bounds: [0.5, 1] });
  registry.asked({ name: "memory", help: "Memory.", type: "gauge", isPerProcess: true }, () => times);
  registry.asked({ name: "unknown", help: "Nobody knows.", type: "gauge" }, () => undefined);
  asked.of('"a\\b"\n').add(times);
  open.of().add(times);
  for (const value of [0.5, 0.75, 7]) took.of().observe(value * times);
  return registry.snapshot();
}

const TEXT = String.raw`# HELP asked_total A \\ and\na line.
# TYPE asked_total counter
asked_total{by="\"a\\b\"\n"} 1
# HELP open Open.
# TYPE open gauge
open 1
# HELP took Took.
# TYPE took histogram
took_bucket{le="0.5"} 1
took_bucket{le="1"} 2
took_bucket{le="+Inf"} 3
took_sum 8.25
took_count 3
# HELP memory Memory.
# TYPE memory gauge
memory 1
`;

test.each(["", "*/*", "text/plain;version=0.0.4;q=0.5", "text/html"])("%j gets the text format", (accept) => {
  const { mediaType, write } = chooseFormat(accept);
  expect(mediaType).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(write(measure())).toBe(TEXT);
  expect(readExposition(TEXT, "text").size).toBe(8);
});

test("who names OpenMetrics gets it", () => {
  const { mediaType, write } = chooseFormat(
    "application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.3,*/*;q=0.1",
  );
  expect(mediaType).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
  const text = write(measure());
  expect(text).toBe(
    `${TEXT.replace("HELP asked_total", "HELP asked").replace("TYPE asked_total", "TYPE asked").replace('le="1"', 'le="1.0"')}# EOF\n`,
  );
  expect(readExposition(text, "openmetrics").size).toBe(8);
});

describe("what several processes measured", () => {
  const merged = mergeSnapshots([
    { process: "worker-1", snapshot: measure(1) },
    { process: "worker-2", snapshot: measure(2) },
  ]);
  const samples = readExposition(chooseFormat("").write(merged), "text");

  test("is added up, also when it was sent", () => {
    const sent = JSON.parse(JSON.stringify(merged)) as Snapshot;
    expect(sent).toStrictEqual(merged);
    expect(Object.fromEntries(samples)).toMatchObject({
      [String.raw`asked_total{by="\"a\\b\"\n"}`]: 3,
      open: 3,
      'took_bucket{le="0.5"}': 1,
      'took_bucket{le="1"}': 3,
      'took_bucket{le="+Inf"}': 6,
      took_sum: 24.75,
      took_count: 6,
    });
  });

  test("is told of each process where it says something of a process", () => {
    expect(samples.get('memory{process="worker-1"}')).toBe(1);
    expect(samples.get('memory{process="worker-2"}')).toBe(2);
    expect(samples.has("memory")).toBe(false);
  });

  test("lasts, of one that has ended, as far as it was counted", () => {
    expect(toLasting(measure()).map(({ name }) => name)).toStrictEqual(["asked", "took"]);
  });
});

test("a family has at most so many series; what is beyond them is counted together", () => {
  const registry = new Registry();
  const used = registry.tallies({ name: "used", help: "Used.", type: "counter", labels: ["what", "key"] });
  for (let key = 0; key < 5_000; key++) used.of("a", String(key)).add(1);
  used.of("b", "new").add(1);
  const [{ series } = { series: [] }] = registry.snapshot();
  expect(series).toHaveLength(1_002);
  expect(series.slice(-2)).toStrictEqual([
    { labels: ["a", "other"], value: 4_000 },
    { labels: ["b", "other"], value: 1 },
  ]);
});
