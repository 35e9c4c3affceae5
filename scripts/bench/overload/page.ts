import { ARE_PINNED } from "../http/child.js";
import { describeMachine, formatTable } from "../report.js";
import { drawLines } from "./lines.js";
import type { OverloadOptions } from "./measure.js";
import { type Curve, type Curves, GOOD_WITHIN, KIND_NAMES, KINDS } from "./results.js";

/** The page in Markdown, as Prettier formats it. */
export function formatPage(curves: Curves, { rounds, seconds, connections }: OverloadOptions): string {
  const cores = ARE_PINNED ? "server and load on a core each" : "server and load on any core";
  return `# The service asked for more than it can do

Made by \`npm run bench:overload\`; do not edit. ${describeMachine()}, ${cores}; the machine had other work too.

![p99 and good answers, by load](overload.svg)

- Requests come at a rate, at random moments (a Poisson process), whether others are answered or not: a page of 100 animals from
  SQLite each. The load is a multiple of the server's own capacity, which 32 callers measure who wait for each answer.
- Latency counts from when a request was due to its 200. An answer is good when it is a 200 within ${GOOD_WITHIN / 1000} s: who waits longer has
  gone, and the work is lost.
- At most ${connections.toLocaleString("en")} requests are under way. One that finds no connection has no answer: it is what bounds the latency of a
  server that lets all wait.
- A slice takes ${seconds} s; ${rounds === 1 ? "one round" : `medians of ${rounds} rounds`}.

${KIND_NAMES.map((kind) => formatCurve(KINDS[kind].title, curves[kind])).join("\n")}`;
}

function formatCurve(title: string, { capacity, points }: Curve): string {
  const whole = (value: number) => (Number.isNaN(value) ? "none" : Math.round(value).toLocaleString("en"));
  const percent = (part: number) => `${(part * 100).toFixed(part > 0 && part < 0.01 ? 1 : 0)} %`;
  const rows = points.map(({ factor, offered, good, p50, p99, refused, unanswered }) => [
    `${factor} ×`,
    whole(offered),
    whole(good),
    percent(good / capacity),
    whole(p50),
    whole(p99),
    percent(refused),
    percent(unanswered),
  ]);
  const head = ["Load", "Requests/s", "Good/s", "of capacity", "p50, ms", "p99, ms", "503", "No answer"];
  return `## ${title}

Capacity: ${whole(capacity)} requests a second.

${formatTable(head, rows)}`;
}

export function drawCurves(curves: Curves): string {
  const x = curves.refusing.points.map(({ factor }) => `${factor} ×`);
  const lines = (of: (curve: Curve) => readonly number[]) =>
    KIND_NAMES.map((kind) => ({ label: KINDS[kind].title, values: of(curves[kind]) }));
  return drawLines("More requests than can be answered, by load as a multiple of capacity", [
    {
      title: "p99 of what is answered with 200, ms",
      x,
      lines: lines(({ points }) => points.map(({ p99 }) => p99)),
      ticks: [1, 10, 100, 1_000, 10_000],
      isLogarithmic: true,
    },
    {
      title: "Good answers, % of capacity",
      x,
      lines: lines(({ capacity, points }) => points.map(({ good }) => (good / capacity) * 100)),
      ticks: [0, 25, 50, 75, 100],
      isLogarithmic: false,
    },
  ]);
}
