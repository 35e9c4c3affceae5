import type { Change } from "./change.js";
import { CODES } from "./codes/index.js";
import type { Diff } from "./diff-contracts.js";
import type { ChangeImpact, Impact, OperationImpact } from "../impact/index.js";

/** Adds the impact of its operation to each change; for clients, only that of the change's direction. */
export function withImpact(diff: Diff, impact: Impact): Diff {
  const byOperation = new Map(impact.operations.map((found) => [found.operation, found]));
  return {
    ...diff,
    impact,
    changes: diff.changes.map((change) => {
      const found = byOperation.get(change.operation);
      return found === undefined ? change : { ...change, impact: toChangeImpact(change, found) };
    }),
  };
}

function toChangeImpact(
  { code }: Change,
  { clients, handlerMissing, places }: OperationImpact,
): ChangeImpact {
  const direction = CODES[code]?.direction;
  return {
    ...(clients && {
      clients: clients.filter((found) => direction === undefined || found.direction === direction),
    }),
    ...(handlerMissing && { handlerMissing }),
    places,
  };
}

/** Merges the impacts of one change on several operations. */
export function mergeImpacts(impacts: readonly (ChangeImpact | undefined)[]): ChangeImpact | undefined {
  const found = impacts.filter((impact) => impact !== undefined);
  if (found.length === 0) return undefined;
  const clients = found.flatMap((impact) => (impact.clients === undefined ? [] : [impact.clients]));
  return {
    ...(clients.length > 0 && { clients: unique(clients.flat()) }),
    ...(found.some(({ handlerMissing }) => handlerMissing) && { handlerMissing: true }),
    places: unique(found.flatMap(({ places }) => places)),
  };
}

function unique<Item>(items: readonly Item[]): readonly Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
