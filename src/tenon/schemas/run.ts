import { type EqualItems, EqualValues, findEqualItems } from "../core/validation/equal-values.js";
import type { ValidatorError } from "../core/validation/schema-problem.js";

/** An error of a value; its path starts at that value. */
export interface Failure extends ValidatorError {
  /** The failures of each alternative of a union. */
  readonly alternatives?: readonly FailedAlternative[];
}

export interface FailedAlternative {
  /** Name of the component that it is. */
  readonly name: string | undefined;
  /** Undefined for the schema `false`. */
  readonly failures: Failures | undefined;
}

export type Failures = readonly Failure[];

/** One keyword of a schema with its value. */
export interface Keyword {
  /** @returns undefined if the value is valid. */
  check(value: unknown, run: Run): Failures | undefined;
  /** Adds the members or items of a value that the keyword evaluates, for `unevaluatedProperties` and `unevaluatedItems`. */
  evaluate?(value: object, run: Run, found: Evaluated): void;
  /** Name of the component that a reference refers to. */
  readonly name?: string | undefined;
}

/** The keywords of a schema, in the order in which they are checked, or a boolean schema. */
export type Rules = boolean | readonly Keyword[];

/** Names or indexes that a schema has evaluated; `all` if it has evaluated everything. */
export interface Evaluated {
  readonly keys: Set<string>;
  all: boolean;
}

/** More failures of a value are not kept. */
export const MAX_FAILURES = 100;

const NEVER: Failures = [{ instancePath: "", keyword: "false schema", params: {} }];

/** One validation of a value, with the results for its objects and arrays. */
export class Run {
  readonly #equalValues = new EqualValues();
  readonly #results = new Map<Rules, Map<object, Failures | undefined>>();

  /**
   * Checks a value, an object or array only once for each schema. Two alternatives may have the same recursive property: without
   * this, time doubles with each level.
   */
  once(rules: Rules, value: unknown): Failures | undefined {
    if (!isObject(value)) return check(rules, value, this);
    const results = this.#results.get(rules) ?? new Map<object, Failures | undefined>();
    this.#results.set(rules, results);
    if (results.has(value)) return results.get(value);
    const failures = check(rules, value, this);
    results.set(value, failures);
    return failures;
  }

  findEqualItems(items: readonly unknown[]): EqualItems | undefined {
    return findEqualItems(items, this.#equalValues);
  }
}

/** Checks all keywords. */
export function check(rules: Rules, value: unknown, run: Run): Failures | undefined {
  if (typeof rules === "boolean") return rules ? undefined : NEVER;
  let found: Failures | undefined;
  for (const keyword of rules) {
    const failures = keyword.check(value, run);
    if (failures !== undefined) found = join(found, failures);
  }
  return found;
}

/** Adds what all keywords evaluate. */
export function evaluate(rules: Rules, value: object, run: Run, found: Evaluated): void {
  if (typeof rules === "boolean") return;
  for (const keyword of rules) if (!found.all) keyword.evaluate?.(value, run, found);
}

/** Joins failures of the same value. */
export function join(one: Failures | undefined, other: Failures | undefined): Failures | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.length >= MAX_FAILURES ? one : [...one, ...other].slice(0, MAX_FAILURES);
}

/** Failures of a member or item, as failures of the value that has it. */
export function within(key: string | number, failures: Failures | undefined): Failures | undefined {
  if (failures === undefined) return undefined;
  const start = `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
  return failures.map((failure) => ({ ...failure, instancePath: start + failure.instancePath }));
}

export function fail(keyword: string, details: Partial<Failure> = {}): Failures {
  return [{ instancePath: "", keyword, params: {}, ...details }];
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** A JSON object, which has no `undefined`: such a member is not sent, and counts as absent. */
export type Members = Readonly<Record<string, unknown>>;

export function isMembers(value: unknown): value is Members {
  return isObject(value) && !Array.isArray(value);
}

export function listNames(value: Members): readonly string[] {
  return Object.keys(value).filter((name) => value[name] !== undefined);
}

export function has(value: Members, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== undefined;
}

/** Copies the arrays and plain objects of a value. */
export function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (!isObject(value) || ![Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null))
    return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]));
}
