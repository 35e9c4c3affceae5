import process from "node:process";
import { Generator, showProgress } from "../http/measure.js";
import { OpenLoop, type Outcomes } from "../http/open-loop.js";
import { SCENARIOS } from "../http/scenarios.js";
import { ServerProcess } from "../http/server-process.js";
import { quantile } from "../http/statistics.js";
import type { Workspace } from "../http/workspace.js";
import { type Curve, type Curves, GOOD_WITHIN, type Kind, KIND_NAMES, KINDS, type Point } from "./results.js";

/** The operation that is asked for: a heavy one, since refusing takes as long as a light one. */
const SCENARIO = SCENARIOS.list100;

export interface OverloadOptions {
  readonly rounds: number;
  /** Length of a slice, in seconds. */
  readonly seconds: number;
  /** Most requests that are under way. */
  readonly connections: number;
  readonly factors: readonly number[];
}

/** Measures each kind of server below and beyond its own capacity; of several rounds a point has the medians. */
export async function measureOverload(options: OverloadOptions, workspace: Workspace): Promise<Curves> {
  const rounds = new Map<Kind, Curve[]>(KIND_NAMES.map((kind) => [kind, []]));
  for (let round = 1; round <= options.rounds; round++) {
    for (const kind of KIND_NAMES) {
      showProgress(`round ${round} of ${options.rounds}, ${KINDS[kind].title}`);
      rounds.get(kind)?.push(await measureKind(kind, options, workspace));
    }
  }
  showProgress("");
  return Object.fromEntries(
    [...rounds].map(([kind, curves]) => [kind, toMedians(curves)]),
  ) as unknown as Curves;
}

async function measureKind(
  kind: Kind,
  { seconds, connections, factors }: OverloadOptions,
  workspace: Workspace,
): Promise<Curve> {
  const { server: name, env } = KINDS[kind];
  const node = process.execPath;
  const server = await ServerProcess.start(name, workspace, { node, store: "sqlite", logs: true, env });
  const closed = new Generator();
  const open = new OpenLoop();
  try {
    const requests = SCENARIO.requests(workspace.key);
    const load = { requests, status: SCENARIO.status };
    await closed.run(server, load, seconds / 2);
    const { perSecond: capacity } = await closed.run(server, load, seconds);
    const points: Point[] = [];
    for (const factor of factors) {
      const outcomes = await open.run(server, {
        requests,
        rate: capacity * factor,
        milliseconds: seconds * 1000,
        connections,
        prepared: connections,
      });
      points.push(toPoint(factor, seconds, outcomes));
    }
    return { capacity, points };
  } finally {
    await Promise.all([open.stop(), closed.stop(), server.stop()]);
  }
}

export function toPoint(
  factor: number,
  seconds: number,
  { due, unsent, lost, unanswered, answers }: Outcomes,
): Point {
  const latencies = answers.filter(([status]) => status === SCENARIO.status).map(([, , latency]) => latency);
  return {
    factor,
    offered: due / seconds,
    good: latencies.filter((latency) => latency <= GOOD_WITHIN).length / seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    refused: answers.filter(([status]) => status === 503).length / due,
    unanswered: (unsent + lost + unanswered) / due,
  };
}

function toMedians(curves: readonly Curve[]): Curve {
  const median = (values: readonly number[]) => quantile(values, 0.5);
  const [first] = curves;
  return {
    capacity: median(curves.map(({ capacity }) => capacity)),
    points: (first?.points ?? []).map((point, index) => {
      const names = Object.keys(point) as (keyof Point)[];
      const all = curves.flatMap(({ points }) => points[index] ?? []);
      return Object.fromEntries(
        names.map((name) => [name, median(all.map((each) => each[name]))]),
      ) as unknown as Point;
    }),
  };
}
