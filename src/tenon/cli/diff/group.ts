import type { Change } from "../../diff/change.js";

/** One change at one place, with every operation that it is a change of. */
export interface ChangeGroup {
  readonly change: Change;
  readonly operations: readonly string[];
}

/** A component that many operations share is told once. */
export function groupChanges(changes: readonly Change[]): readonly ChangeGroup[] {
  const groups = new Map<string, { readonly change: Change; readonly operations: string[] }>();
  for (const change of changes) {
    const { code, level, file, line, pointer, ignored, before, after } = change;
    const key = JSON.stringify([code, level, file, line, pointer, ignored, before, after]);
    const group = groups.get(key) ?? { change, operations: [] };
    groups.set(key, group);
    const { operation } = change;
    if (operation !== undefined && !group.operations.includes(operation)) group.operations.push(operation);
  }
  return [...groups.values()];
}

/** `GET /pets`, or `GET /pets and 3 more operations`. */
export function showOperations([first = "the contract", ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  return `${first} and ${others.length} more ${others.length === 1 ? "operation" : "operations"}`;
}
