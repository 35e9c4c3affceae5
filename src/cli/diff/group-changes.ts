import { groupBy } from "../generate/group-by.js";
import type { ChangeImpact } from "../impact/index.js";
import { count } from "../output/count.js";
import type { Change } from "./change.js";
import { isSchemaCode } from "./codes/index.js";

/** One change at one place, with every operation that it affects. */
export interface ChangeGroup {
  readonly change: Change;
  readonly operations: readonly string[];
  /** The impact on the code of all of them. Undefined: the compiler was not asked. */
  readonly impact: ChangeImpact | undefined;
}

/** Groups changes by place, so that a change of a shared component is reported once. */
export function groupChanges(changes: readonly Change[]): readonly ChangeGroup[] {
  const groups = groupBy(changes, ({ code, level, file, line, pointer, ignored, before, after, message }) => {
    // Operations have a shared schema at different paths; everything else with another message is another change.
    const subject = isSchemaCode(code) ? undefined : message;
    return JSON.stringify([code, level, file, line, pointer, ignored, before, after, subject]);
  });
  return [...groups.values()].map(toGroup);
}

function toGroup(changes: readonly Change[]): ChangeGroup {
  const [change] = changes as readonly [Change];
  const operations = [...new Set(changes.flatMap(({ operation }) => operation ?? []))];
  return { change, operations, impact: mergeImpacts(changes.map((one) => one.impact)) };
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
  return `${first} and ${count(others.length, "more operation")}`;
}
