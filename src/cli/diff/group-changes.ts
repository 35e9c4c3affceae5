import type { ChangeImpact } from "../impact/index.js";
import type { Change } from "./change.js";

/** One change at one place, with every operation that it affects. */
export interface ChangeGroup {
  readonly change: Change;
  readonly operations: readonly string[];
  /** The impact on the code of all of them. Undefined: the compiler was not asked. */
  readonly impact?: ChangeImpact;
}

/** Groups changes by place, so that a change of a shared component is reported once. */
export function groupChanges(changes: readonly Change[]): readonly ChangeGroup[] {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const { code, level, file, line, pointer, ignored, before, after } = change;
    const key = JSON.stringify([code, level, file, line, pointer, ignored, before, after]);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(change);
  }
  return [...groups.values()].map(toGroup);
}

function toGroup(changes: readonly Change[]): ChangeGroup {
  const [change] = changes as readonly [Change];
  const operations = [...new Set(changes.flatMap(({ operation }) => operation ?? []))];
  const impact = mergeImpacts(changes.map((one) => one.impact));
  return { change, operations, ...(impact && { impact }) };
}

/** Merges the impacts of one change on several operations. */
function mergeImpacts(impacts: readonly (ChangeImpact | undefined)[]): ChangeImpact | undefined {
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

/** `GET /pets`, or `GET /pets and 3 more operations`. */
export function showOperations([first = "the contract", ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  return `${first} and ${others.length} more ${others.length === 1 ? "operation" : "operations"}`;
}
