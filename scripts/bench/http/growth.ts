import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createContract, generateServer, toTarget } from "./grown-contract.js";
import { Generator, tell } from "./measure.js";
import type { BenchOptions } from "./options.js";
import type { GrowthFigures, GrowthResult } from "./results.js";
import { toRequest } from "./scenarios.js";
import { ServerProcess } from "./server-process.js";
import { shuffle, toSpread } from "./statistics.js";
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

type GrowthServer = keyof typeof GROWTH_SERVERS;

/** How often each server is started. */
const STARTS = 3;

type Growth = Pick<GrowthResult, "operations" | "document">;

/** Measures what the number of operations does to requests, start and memory. */
export async function measureGrowth(options: BenchOptions, workspace: Workspace): Promise<Growth> {
  const { node, document } = options;
  const start = (name: GrowthServer, env: Readonly<Record<string, string>>, target: string) =>
    ServerProcess.start(`growth/${name}`, workspace, { node, store: "memory", logs: false, env, target });
  const generator = new Generator();
  try {
    const operations: Record<string, Readonly<Record<string, GrowthFigures>>> = {};
    for (const count of COUNTS) {
      const file = join(workspace.temporary, "contract.json");
      writeFileSync(file, JSON.stringify(createContract(count)));
      const { generated } = generateServer(join(workspace.root, "growth", String(count)), file);
      const env = { BENCH_CONTRACT: file, BENCH_GENERATED: generated };
      const last = toTarget(count - 1);
      operations[count] = await measureCount(options, generator, toTarget(0), last, (name) =>
        start(name, env, last),
      );
    }
    if (document === undefined) return { operations };

    const { generated } = generateServer(join(workspace.root, "growth/document"), document);
    const env = { BENCH_DOCUMENT: document, BENCH_GENERATED: generated };
    const servers: Record<string, Pick<GrowthFigures, "start" | "memory">> = {};
    for (const name of DOCUMENT_SERVERS) {
      tell(`${basename(document)}, ${name}`);
      const { server, ...figures } = await startOften(() => start(name, env, "/"));
      await server.stop();
      servers[GROWTH_SERVERS[name]] = figures;
    }
    return { operations, document: { name: basename(document), servers } };
  } finally {
    tell("");
    await generator.stop();
  }
}

async function measureCount(
  { rounds, seconds }: BenchOptions,
  generator: Generator,
  first: string,
  last: string,
  start: (name: GrowthServer) => Promise<ServerProcess>,
): Promise<Readonly<Record<string, GrowthFigures>>> {
  const names = Object.keys(GROWTH_SERVERS) as GrowthServer[];
  const started = new Map<GrowthServer, Awaited<ReturnType<typeof startOften>>>();
  const times = new Map(names.map((name) => [name, { first: [] as number[], last: [] as number[] }]));
  try {
    for (const name of names) started.set(name, await startOften(() => start(name)));
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const [name, { server }] of shuffle([...started])) {
        for (const [which, target] of shuffle(Object.entries({ first, last }))) {
          tell(`growth: round ${round} of ${rounds}, ${name}, ${target}`);
          const load = { requests: [toRequest("GET", target)], status: 200, seconds };
          const { perCpuSecond } = await generator.run(server, load);
          if (round > 0) times.get(name)?.[which as "first" | "last"].push(1e6 / perCpuSecond);
        }
      }
    }
  } finally {
    await Promise.all([...started.values()].map(({ server }) => server.stop()));
  }
  const figures = [...started].map(([name, started]) => {
    const measured = times.get(name) ?? { first: [], last: [] };
    const { start: starts, memory } = started;
    const spreads = { first: toSpread(measured.first), last: toSpread(measured.last), start: starts, memory };
    return [GROWTH_SERVERS[name], spreads] as const;
  });
  return Object.fromEntries(figures);
}

/** @returns the last one, which runs, and what all took; memory is that after the first answer. */
async function startOften(
  start: () => Promise<ServerProcess>,
): Promise<{ readonly server: ServerProcess } & Pick<GrowthFigures, "start" | "memory">> {
  const times: number[] = [];
  for (let count = 1; count < STARTS; count++) {
    const server = await start();
    times.push(server.startTime);
    await server.stop();
  }
  const server = await start();
  times.push(server.startTime);
  const { memory } = await server.usage();
  return { server, start: toSpread(times), memory: Math.round(memory / 1e6) };
}
