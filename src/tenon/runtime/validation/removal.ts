import { getOwn } from "../../core/document/pointer.js";
import { isSent } from "./branches.js";

/** Maximum number of removed members that are named: a page of a hundred items may have one each. */
const MOST_NAMED = 20;

/** The removed members of a response. */
export class Removals {
  readonly #named: { pointer: string; readonly text: string }[] = [];
  #count = 0;

  /** Number of members that are named. */
  get named(): number {
    return this.#named.length;
  }

  /** The name and the place of each removed member, and never its value: `/owner/passwordHash is not declared`. */
  get problems(): readonly string[] {
    const problems = this.#named.map(({ pointer, text }) => `${pointer} ${text}`);
    const more = this.#count - problems.length;
    return more === 0 ? problems : [...problems, `${more} more members are not declared`];
  }

  add(name: string, text: string): void {
    this.#count += 1;
    if (this.#named.length < MOST_NAMED) this.#named.push({ pointer: toPointer(name), text });
  }

  /** Puts the members that were named since then below a key. */
  moveBelow(key: string | number, since: number): void {
    for (const removal of this.#named.slice(since)) removal.pointer = toPointer(key) + removal.pointer;
  }
}

function toPointer(key: string | number): string {
  return `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Removes undeclared members from an object or array on which `toJSON` was called. */
export type Remove = (value: object, removals: Removals) => unknown;

/** The treatment of the members with a name. */
export interface Member {
  /** Reason to remove them: `is not declared`. */
  readonly problem: string | undefined;
  readonly remove: Remove | undefined;
}

/** Combines the removal from objects and from arrays. */
export function combine(members: Remove | undefined, items: Remove | undefined): Remove | undefined {
  if (members === undefined || items === undefined) return members ?? items;
  return (value, removals) => (Array.isArray(value) ? items : members)(value, removals);
}

/** Removes all members of an object, or all items of an array. */
export const removeAll: Remove = (value, removals) => {
  const names = Object.keys(value);
  for (const name of names) removals.add(name, "is not declared");
  if (names.length === 0) return value;
  return Array.isArray(value) ? [] : {};
};

/** Calls `toJSON` as `JSON.stringify` does, once and with the key. */
export function apply(remove: Remove, value: unknown, key: string | number, removals: Removals): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { toJSON } = value as Convertible;
  if (typeof toJSON !== "function") return remove(value, removals);
  const made: unknown = toJSON.call(value, String(key));
  if (typeof made !== "object" || made === null) return value;
  const kept = remove(made, removals);
  return kept === made ? value : kept;
}

interface Convertible {
  readonly toJSON?: unknown;
}

/** New values by name; undefined for a member that is removed. */
type Changes = Map<string, unknown> | undefined;

/** @returns `changes` with the new value of a member in which something is removed. */
function removeBelow(
  { name, remove }: { readonly name: string; readonly remove: Remove },
  value: object,
  removals: Removals,
  changes: Changes,
): Changes {
  const inner = getOwn(value, name);
  // `apply` returns these unchanged.
  if (typeof inner !== "object" || inner === null) return changes;
  const { named } = removals;
  const kept = apply(remove, inner, name, removals);
  if (kept === inner) return changes;
  removals.moveBelow(name, named);
  return (changes ?? new Map<string, unknown>()).set(name, kept);
}

/** @param isClosed True if other names than those of the members are undeclared. */
export function removeMembers(
  members: ReadonlyMap<string, Member>,
  findOther: (name: string) => Member,
  isClosed = false,
): Remove {
  const list = (test: (member: Member) => boolean) =>
    [...members].flatMap(([name, member]) => (test(member) ? [name] : []));
  const nested = [...members].flatMap(([name, { remove }]) => (remove ? [{ name, remove }] : []));
  const hasOnly = isClosed ? createNamesTest(list(({ problem }) => problem === undefined)) : () => false;
  return (value, removals) => {
    let changes: Changes;
    if (hasOnly(value)) {
      for (const member of nested) changes = removeBelow(member, value, removals, changes);
    } else {
      if (Array.isArray(value)) return value as unknown;
      for (const name of Object.keys(value)) {
        if (!isSent(getOwn(value, name))) continue;
        const { problem, remove } = members.get(name) ?? findOther(name);
        if (problem !== undefined) {
          removals.add(name, problem);
          (changes ??= new Map()).set(name, undefined);
        } else if (remove !== undefined) changes = removeBelow({ name, remove }, value, removals, changes);
      }
    }
    return changes === undefined ? value : change(value, changes);
  };
}

/**
 * Creates the test whether an object has only these names. Usually, objects have them in the order of the schema; otherwise the
 * test goes by the order of the first object that has another. This takes half the time that a set takes.
 */
function createNamesTest(declared: readonly string[]): (value: object) => boolean {
  let order = declared;
  let positions = toPositions(order);
  let isLearned = false;

  function learn(value: object): boolean {
    isLearned = true;
    order = [...new Set([...Object.keys(value).filter((name) => positions.has(name)), ...order])];
    positions = toPositions(order);
    return hasOnly(value);
  }

  function hasOnly(value: object): boolean {
    // A local constant, because reading a variable of the closure for each name is expensive.
    const expected = order;
    let index = 0;
    for (const name in value) {
      if (name !== expected[index]) {
        const position = positions.get(name);
        if (position === undefined) return false;
        if (position < index && !isLearned) return learn(value);
        index = position;
      }
      index += 1;
    }
    return true;
  }
  return hasOnly;
}

function toPositions(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, index) => [name, index]));
}

/** Copies an object with other members; those that become undefined are left out, and functions, which are never sent. */
function change(value: object, changes: ReadonlyMap<string, unknown>): object {
  const entries = Object.entries(value).map(([name, member]: [string, unknown]) => {
    return [name, changes.has(name) ? changes.get(name) : member] as const;
  });
  return Object.fromEntries(
    entries.filter(([, member]) => member !== undefined && typeof member !== "function"),
  );
}

/** @param positions The last one is for all further items. */
export function removeFromItems(positions: readonly (Remove | undefined)[]): Remove {
  const others = positions.length - 1;
  const last = positions[others];
  return (value, removals) => {
    if (!Array.isArray(value)) return value;
    const items: readonly unknown[] = value;
    let { named } = removals;
    let copy: unknown[] | undefined;
    for (let index = 0; index < items.length; index += 1) {
      const remove = index < others ? positions[index] : last;
      if (remove === undefined) continue;
      const item = items[index];
      // The usual case of `apply`, which the engine does not inline: a sixth of the time of a long list.
      const isUsual = typeof item === "object" && item !== null && (item as Convertible).toJSON === undefined;
      const kept = isUsual ? remove(item, removals) : apply(remove, item, index, removals);
      if (kept === item) continue;
      removals.moveBelow(index, named);
      named = removals.named;
      (copy ??= [...items])[index] = kept;
    }
    return copy ?? items;
  };
}
