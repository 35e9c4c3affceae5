import type { BenchOptions } from "./options.js";
import type { GrowthResult } from "./results.js";
import type { Workspace } from "./workspace.js";
export function measureGrowth(_o: BenchOptions, _w: Workspace): Promise<Pick<GrowthResult, "operations">> {
  throw new Error("todo");
}
