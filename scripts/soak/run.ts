import { rmSync } from "node:fs";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Child } from "../bench/http/child.js";
import { type Arrivals, OpenLoop } from "../bench/http/open-loop.js";
import { toRequest } from "../bench/http/scenarios.js";
import { ServerProcess, type Usage } from "../bench/http/server-process.js";
import { quantile } from "../bench/http/statistics.js";
import { createDatabase } from "./database.js";
import type { Window } from "./verdict.js";

const CLOSED_LOOP = fileURLToPath(new URL("../bench/http/generator.mjs", import.meta.url));

/** Animals that are there from the start. */
const PETS = 1_000;

/** Most requests that are under way. */
const CONNECTIONS = 500;

/** Milliseconds between two looks at the service. */
const SAMPLE_INTERVAL = 1_000;

/** How long the service may take to notice that connections have been closed, in milliseconds. */
const LEAVE_TIME = 500;

export interface SoakOptions {
  readonly windows: number;
  /** Length of a window, in seconds. */
  readonly seconds: number;
  /** Parameters of Node.js's that start the service. */
  readonly script: readonly string[];
  /** Called when a window is over. */
  readonly onWindow: (window: Window, index: number) => void;
}

export interface Soak {
  /** Requests a second: half of what callers get who wait for each answer. */
  readonly rate: number;
  readonly windows: readonly Window[];
}

/** Of twenty requests: what callers do, and the mistakes that they make. */
function toMix(key: string): readonly string[] {
  const pet = JSON.stringify({ name: "Rex", categoryId: 1, status: "available" });
  const lists = (limit: number, count: number) =>
    Array.from({ length: count }, () => toRequest("GET", `/v1/pets?limit=${limit}`, key));
  return [
    ...lists(20, 10),
    ...lists(100, 2),
    ...[17, 400, 999].map((id) => toRequest("GET", `/v1/pets/${id}`, key)),
    toRequest("POST", "/v1/pets", key, pet),
    toRequest("POST", "/v1/pets", key, pet),
    toRequest("GET", "/v1/pets?status=available", key),
    toRequest("GET", "/v1/pets?limit=101", key),
    toRequest("GET", "/v1/pets"),
  ];
}

/** What may be answered to such requests when all is well. */
const STATUSES = new Set([200, 201, 400, 401]);

/** Runs the service at half of its capacity, and looks at what it takes. */
export async function soak({ windows: count, seconds, script, onWindow }: SoakOptions): Promise<Soak> {
  const workspace = await createDatabase(PETS);
  const remove = (): void => {
    rmSync(workspace.temporary, { recursive: true, force: true });
  };
  process.once("exit", remove);
  const node = process.execPath;
  const server = await ServerProcess.start("petstore", workspace, {
    node,
    script,
    store: "sqlite",
    logs: true,
    // No connection idles for as long: a request that is sent while one is being closed is lost, and nobody's fault.
    env: { KEEP_ALIVE_TIMEOUT_MS: String(2_000 * seconds) },
  });
  const closed = new Child([CLOSED_LOOP], { core: "load", node });
  const open = new OpenLoop();
  try {
    const port = Number(new URL(server.url).port);
    const requests = toMix(workspace.key);
    const capacity = await measureCapacity(closed, { port, requests });
    await closed.stop();
    const rate = capacity / 2;
    const load = {
      requests,
      rate,
      milliseconds: seconds * 1000,
      connections: CONNECTIONS,
      prepared: 0,
    };
    const windows: Window[] = [];
    for (let index = 0; index < count; index++) {
      const window = await runWindow(server, open, load);
      windows.push(window);
      onWindow(window, index);
    }
    return { rate, windows };
  } finally {
    await Promise.all([closed.stop(), open.stop(), server.stop()]);
    remove();
    process.off("exit", remove);
  }
}

async function measureCapacity(
  generator: Child,
  load: { readonly port: number; readonly requests: readonly string[] },
): Promise<number> {
  // The middle of several: the service warms up, and the machine has other work.
  const perSecond: number[] = [];
  for (let run = 0; run < 5; run++) {
    const { result, error } = await generator.ask<{
      result?: { answers: number; seconds: number };
      error?: string;
    }>({ ...load, connections: 32, milliseconds: 1_000 });
    if (result === undefined) throw new Error(error);
    perSecond.push(result.answers / result.seconds);
  }
  return quantile(perSecond, 0.5);
}

async function runWindow(server: ServerProcess, open: OpenLoop, load: Arrivals): Promise<Window> {
  const samples: Usage[] = [];
  const sending = open.run(server, load);
  const isSent = sending.then(() => true);
  while (!(await Promise.race([isSent, setTimeout(SAMPLE_INTERVAL, false)])))
    samples.push(await server.usage());
  const { due, unsent, answers } = await sending;
  // Connections have been closed; once the service has noticed that, what is still open is left over.
  await setTimeout(LEAVE_TIME);
  const { handles } = await server.usage();
  const right = answers.filter(([status]) => STATUSES.has(status)).map(([, , latency]) => latency);
  const refused = answers.filter(([status]) => status === 503).length + unsent;
  return {
    perSecond: right.length / (load.milliseconds / 1000),
    p50: quantile(right, 0.5),
    p99: quantile(right, 0.99),
    memory: Math.min(...samples.map(({ memory }) => memory)),
    heap: Math.min(...samples.map(({ heap }) => heap)),
    handles,
    refused,
    failed: due - right.length - refused,
  };
}
