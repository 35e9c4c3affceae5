import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { median } from "../report.js";
import { createContract, generateServer, toTarget } from "./grown-contract.js";
import {
  type Contestant,
  type Load,
  measure,
  type Measured,
  type Measurements,
  toMedian,
} from "./measure.js";
import type { BenchOptions } from "./options.js";
import type { GrowthFigures, GrowthResult } from "./results.js";
import { toRequest } from "./scenarios.js";
import { ServerProcess, type ServerSetting } from "./server-process.js";
import { toSpread } from "./statistics.js";
import type { Workspace } from "./workspace.js";

const COUNTS = [10, 100, 1_000];

/** Files of `servers/growth/`, with what tables call them. */
const GROWTH_SERVERS = {
  tenon: "Tenon on Express",
  fastify: "Fastify",
  express: "bare Express",
  "express-eov": "Express + EOV",
} as const;

/** Those that start from a document alone. */
const DOCUMENT_SERVERS = ["tenon", "express-eov"] as const;

const GROWTH_SERVER_NAMES = Object.keys(GROWTH_SERVERS) as (keyof typeof GROWTH_SERVERS)[];

type Growth = Pick<GrowthResult, "operations" | "document">;

/** Measures how the number of operations affects requests, start and memory. */
export async function measureGrowth(options: BenchOptions, workspace: Workspace): Promise<Growth> {
  const { node, document } = options;
  const toContestant = (
    name: keyof typeof GROWTH_SERVERS,
    setting: Required<Pick<ServerSetting, "env" | "target">>,
    loads: Contestant["loads"],
  ): Contestant => ({
    name: GROWTH_SERVERS[name],
    start: () =>
      ServerProcess.start(`growth/${name}`, workspace, { node, store: "memory", logs: false, ...setting }),
    loads,
  });
  const toLoad = (target: string): Load => ({ requests: [toRequest("GET", target)], status: 200 });

  const operations: Record<string, Readonly<Record<string, GrowthFigures>>> = {};
  for (const count of COUNTS) {
    const file = join(workspace.temporary, "contract.json");
    writeFileSync(file, JSON.stringify(createContract(count)));
    const { generated } = generateServer(join(workspace.root, "growth", String(count)), file);
    const env = { BENCH_CONTRACT: file, BENCH_GENERATED: generated };
    const target = toTarget(count - 1);
    const loads = { first: toLoad(toTarget(0)), last: toLoad(target) };
    const contestants = GROWTH_SERVER_NAMES.map((name) => toContestant(name, { env, target }, loads));
    operations[count] = reduce(await measure(contestants, options, `${count} operations`), toFigures);
  }
  if (document === undefined) return { operations };

  const { generated } = generateServer(join(workspace.root, "growth/document"), document);
  const env = { BENCH_DOCUMENT: document, BENCH_GENERATED: generated };
  const contestants = DOCUMENT_SERVERS.map((name) => toContestant(name, { env, target: "/" }, {}));
  const name = basename(document);
  const servers = reduce(await measure(contestants, options, name), toStartFigures);
  return { operations, document: { name, servers } };
}

/** Figures by contestant. */
function reduce<Figures>(
  measurements: Measurements,
  to: (starts: readonly Measured[]) => Figures,
): Readonly<Record<string, Figures>> {
  return Object.fromEntries([...measurements].map(([name, starts]) => [name, to(starts)]));
}

function toFigures(starts: readonly Measured[]): GrowthFigures {
  // CPU time per request.
  const toMicroseconds = (load: string) =>
    toSpread(starts.map(({ slices }) => 1e6 / toMedian(slices[load] ?? [], "perCpuSecond")));
  return { first: toMicroseconds("first"), last: toMicroseconds("last"), ...toStartFigures(starts) };
}

function toStartFigures(starts: readonly Measured[]): Pick<GrowthFigures, "start" | "memory"> {
  return {
    start: toSpread(starts.map(({ startTime }) => startTime)),
    memory: Math.round(median(starts.map(({ startUsage }) => startUsage.memory)) / 1e6),
  };
}
