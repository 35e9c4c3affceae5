import { expect, test } from "@jest/globals";
import { format } from "prettier";
import { IDLE, type Latency, MEASURED, SERVERS, toQuantiles } from "../../scripts/bench/latency/measure.js";
import { formatPage } from "../../scripts/bench/latency/page.js";

const LOST = { unsent: 0, lost: 0, unanswered: 0 };

test("quantiles are those of all requests that were due", () => {
  const answers = Array.from({ length: 1_001 }, (_, index) => [200, index, 1_000 - index] as const);
  expect(toQuantiles({ ...LOST, due: 1_001, answers }, 200)).toEqual({
    p50: 500,
    p99: 990,
    p999: 999,
    refused: 0,
  });
});

test("a request without a response, or with another status, counts as refused", () => {
  const answers = [
    [200, 0, 1],
    [503, 1, 9],
  ] as const;
  expect(toQuantiles({ ...LOST, due: 4, answers }, 200)).toEqual({ p50: 1, p99: 1, p999: 1, refused: 0.75 });
});

test("the page has a row of each server and request, as Prettier formats it", async () => {
  const measured = SERVERS.flatMap((server) =>
    MEASURED.flatMap((scenario) =>
      IDLE.map((idle): Latency => ({
        server,
        scenario,
        idle,
        rate: 9_000,
        p50: 0.61,
        p99: server === "tenon" ? 2.25 : 2.75,
        p999: 8.1,
        refused: 0,
        collecting: 0.025,
        pause: 4.2,
        memory: 110e6,
      })),
    ),
  );
  const page = formatPage(measured, { rounds: 1, seconds: 3 });
  expect(page).toBe(await format(page, { parser: "markdown", printWidth: 110 }));
  expect(page.match(/\| create +\| Pet Store Service \| 9000 +\| 0\.61 +\| 2\.3 +\| 8\.1/g)).toHaveLength(2);
  expect(page.match(/\| create +\| Fastify +\| 9000 +\| 0\.61 +\| 2\.8 +\| 8\.1/g)).toHaveLength(2);
});
