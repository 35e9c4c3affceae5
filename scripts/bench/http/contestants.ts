import { toBuilds } from "./compare.js";
import type { Contestant } from "./measure.js";
import type { BenchOptions, StoreName } from "./options.js";
import { SCENARIOS } from "./scenarios.js";
import { ServerProcess } from "./server-process.js";
import type { ServerName } from "./servers.js";
import type { Workspace } from "./workspace.js";

/** A busy machine would otherwise make the service refuse requests. */
const ENVIRONMENT = { MAX_EVENT_LOOP_DELAY_MS: "60000" };

export interface ContestantOptions extends Pick<BenchOptions, "servers" | "scenarios" | "node" | "logs"> {
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Servers of a workspace, and the service of another checkout in two processes. */
export function createContestants(
  { servers, scenarios, node, logs, env }: ContestantOptions,
  store: StoreName,
  workspace: Workspace,
  old?: Workspace,
): readonly Contestant[] {
  const toContestant = (name: string, server: ServerName, of: Workspace): Contestant => ({
    name,
    start: () => ServerProcess.start(server, of, { node, logs, store, env: { ...ENVIRONMENT, ...env } }),
    loads: Object.fromEntries(
      scenarios.map((scenario) => {
        const { requests, status } = SCENARIOS[scenario];
        return [scenario, { requests: requests(of.key), status }];
      }),
    ),
  });
  const contestants = servers.map((name) => toContestant(name, name, workspace));
  if (old === undefined) return contestants;
  const [, ...oldBuilds] = toBuilds("tenon");
  return [...contestants, ...oldBuilds.map((name) => toContestant(name, "tenon", old))];
}
