// Tests the tools of services with the conformance tests of the Model Context Protocol, in all revisions, and with the Inspector's
// command line.
//
//   npm run test:long -- mcp-conformance
//
// `--packages FOLDER` keeps the packages elsewhere. Exits with 1 if a check fails that is not named in not-applicable.ts, and if
// a reason there is not needed.
import { join } from "node:path";
import process from "node:process";
import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { inspectPetStore } from "./mcp-conformance/inspect.js";
import { createFilter, listUnused } from "./mcp-conformance/not-applicable.js";
import { type Check, findNode, type Program, runConformance } from "./mcp-conformance/run.js";
import { startPetStore, startProxy, startSamples, type Target } from "./mcp-conformance/targets.js";
import { installPackages, MCP_PACKAGES } from "./packages.js";

const { values } = parseArgs({ options: { packages: { type: "string" } } });
const folder = values.packages ?? join(tmpdir(), "tenon-mcp-conformance");

const REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"];

const modules = installPackages(folder, MCP_PACKAGES);
const node = findNode(folder);
const own = (path: string): Program => ({ node, script: join(modules, "@modelcontextprotocol", path) });

/** Statuses that say nothing is wrong. */
const FINE: ReadonlySet<Check["status"]> = new Set(["SUCCESS", "INFO"]);

/** Prints one line for each scenario of a revision, and returns what failed. */
async function test(name: string, { url }: Target, hasSamples: boolean): Promise<readonly string[]> {
  const findReason = createFilter(hasSamples);
  const problems: string[] = [];
  for (const revision of REVISIONS) {
    const checks = await runConformance(own("conformance/dist/index.js"), url, revision);
    const passed = checks.filter(({ status }) => status === "SUCCESS").length;
    const others = checks.filter(({ status }) => !FINE.has(status));
    for (const check of others) reasons.add(findReason(check));
    const wrong = others.filter((check) => findReason(check) === undefined);
    const counts = `${passed} checks pass, ${others.length - wrong.length} are not applicable, ${wrong.length} fail`;
    process.stdout.write(`${wrong.length === 0 ? "pass" : "FAIL"}  ${name}, ${revision}: ${counts}\n`);
    for (const { scenario, id, status, errorMessage = "" } of wrong)
      problems.push(`${name}, ${revision}: ${scenario} ${id} ${status} ${errorMessage}`);
  }
  return problems;
}

/** Why failures are none. */
const reasons = new Set<string | undefined>();
const store = await startPetStore();
const proxy = await startProxy(store);
const samples = await startSamples();
const problems: string[] = [];
try {
  problems.push(
    ...(await test("Pet store", proxy, false)),
    ...(await test("Sample tools", samples, true)),
    ...(await inspectPetStore(own("inspector/clients/launcher/build/index.js"), store)),
  );
  problems.push(...listUnused(reasons).map((reason) => `Not needed in not-applicable.ts: ${reason}`));
} finally {
  await Promise.all([proxy.stop(), samples.stop()]);
  await store.stop();
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
