// @thorough: runs a benchmark.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { type Contestant, measure } from "../../scripts/bench/http/measure.js";
import { toRequest } from "../../scripts/bench/http/scenarios.js";
import { ServerProcess } from "../../scripts/bench/http/server-process.js";
import { measureStartup } from "../../scripts/bench/http/startup.js";
import type { Workspace } from "../../scripts/bench/http/workspace.js";
import { createDirectory } from "../support/directory.js";

const SERVER = `
import { createServer } from "node:http";
const server = createServer((request, response) => response.writeHead(request.url === "/missing" ? 404 : 200).end("ok"));
server.listen(0, "127.0.0.1", () => console.log(JSON.stringify({ url: "http://127.0.0.1:" + server.address().port })));
`;

const node = process.execPath;

function createWorkspace(): Workspace {
  const root = createDirectory();
  return { root, servers: root, temporary: root, database: "", key: "" };
}

/** Two contestants with the same server, and all processes that were started of them. */
function createContestants(path: string): { contestants: Contestant[]; servers: ServerProcess[] } {
  const workspace = createWorkspace();
  writeFileSync(join(workspace.root, "server.mjs"), SERVER);
  const servers: ServerProcess[] = [];
  const contestants = ["one", "other"].map((name) => ({
    name,
    async start() {
      const server = await ServerProcess.start("server", workspace, { node, store: "memory", logs: true });
      servers.push(server);
      return server;
    },
    loads: { read: { requests: [toRequest("GET", path)], status: 200 } },
  }));
  return { contestants, servers };
}

async function expectStopped(servers: readonly ServerProcess[]): Promise<void> {
  for (const { url } of servers) await expect(fetch(url)).rejects.toThrow();
}

/** Starts a worker, which works for a second and then listens. */
const PRIMARY = `
import cluster from "node:cluster";
if (cluster.isPrimary) cluster.fork();
else {
  while (process.cpuUsage().user < 1e6);
  await import("./worker.mjs");
}
`;

describe("measurements of the benchmark", () => {
  test("what a server uses includes its workers", async () => {
    const workspace = createWorkspace();
    writeFileSync(join(workspace.root, "server.mjs"), PRIMARY);
    writeFileSync(join(workspace.root, "worker.mjs"), SERVER);
    const server = await ServerProcess.start("server", workspace, { node, store: "memory", logs: true });
    const { cpu, memory } = await server.usage();
    await server.stop();
    expect(cpu).toBeGreaterThan(1e6);
    expect(memory).toBeGreaterThan(60_000_000);
  });

  test("each start has a fresh process of every contestant, with a slice a round, and stops it", async () => {
    const { contestants, servers } = createContestants("/");
    const measurements = await measure(contestants, { starts: 2, rounds: 3, seconds: 0.02 }, "test");
    expect([...measurements.keys()]).toEqual(["one", "other"]);
    expect(servers).toHaveLength(4);
    for (const starts of measurements.values()) {
      expect(starts).toHaveLength(2);
      for (const { startTime, startUsage, memory, slices } of starts) {
        expect(servers.map((server) => server.startTime)).toContain(startTime);
        expect(startUsage.cpu).toBeGreaterThan(0);
        expect(memory).toBeGreaterThan(10_000_000);
        expect(slices["read"]).toHaveLength(3);
        for (const { perSecond, perCpuSecond } of slices["read"] ?? []) {
          expect(perSecond).toBeGreaterThan(0);
          expect(perCpuSecond).toBeGreaterThan(0);
        }
      }
    }
    await expectStopped(servers);
  }, 120_000);

  test("a server that responds with another status is an error that names it, and all are stopped", async () => {
    const { contestants, servers } = createContestants("/missing");
    const measuring = measure(contestants, { starts: 1, rounds: 1, seconds: 0.02 }, "test");
    await expect(measuring).rejects.toThrow(/^(one|other), read: Want 200, found \{"404":/);
    await expectStopped(servers);
  }, 60_000);
});

describe("startup measurements of the benchmark", () => {
  test("servers start and tenon/runtime is imported in several processes each, also of another checkout", async () => {
    const { contestants, servers } = createContestants("/");
    const [workspace, old] = ["1", "2"].map((memory) => {
      const workspace = createWorkspace();
      const tenon = join(workspace.root, "node_modules/tenon");
      mkdirSync(tenon, { recursive: true });
      writeFileSync(
        join(tenon, "package.json"),
        JSON.stringify({ name: "tenon", type: "module", exports: { "./runtime": "./runtime.js" } }),
      );
      // The import ends by itself, and with a figure by which it is recognised.
      writeFileSync(join(tenon, "runtime.js"), `process.memoryUsage.rss = () => ${memory};`);
      return workspace;
    }) as [Workspace, Workspace];
    const measurements = await measureStartup(contestants, { starts: 2, node }, workspace, old);
    const memoryOf = (name: string) => measurements.get(name)?.map(({ memory }) => memory);
    expect(memoryOf("import of tenon/runtime")).toEqual([1, 1]);
    expect(memoryOf("import of tenon/runtime, old build")).toEqual([2, 2]);
    expect(memoryOf("import of tenon/runtime, old build again")).toEqual([2, 2]);
    // The first start of each is not counted.
    expect(servers).toHaveLength(6);
    for (const name of ["one", "other"]) expect(measurements.get(name)).toHaveLength(2);
    await expectStopped(servers);
  }, 60_000);
});
