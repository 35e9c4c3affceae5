import type { Contestant } from "./measure.js";
import type { BenchOptions, StoreName } from "./options.js";
import { SCENARIOS } from "./scenarios.js";
import { ServerProcess } from "./server-process.js";
import type { Workspace } from "./workspace.js";

/** A busy machine would otherwise make the service refuse requests. */
const ENVIRONMENT = { MAX_EVENT_LOOP_DELAY_MS: "60000" };

/** Servers of a workspace. */
export function createContestants(
  { servers, scenarios, node, logs }: Pick<BenchOptions, "servers" | "scenarios" | "node" | "logs">,
  store: StoreName,
  workspace: Workspace,
): readonly Contestant[] {
  const loads = Object.fromEntries(
    scenarios.map((scenario) => {
      const { requests, status } = SCENARIOS[scenario];
      return [scenario, { requests: requests(workspace.key), status }];
    }),
  );
  return servers.map((name) => ({
    name,
    start: () => ServerProcess.start(name, workspace, { node, logs, store, env: ENVIRONMENT }),
    loads,
  }));
}
