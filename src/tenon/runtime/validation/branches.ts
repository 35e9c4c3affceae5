import { getOwn } from "../../core/document/pointer.js";
import {
  anything,
  findDiscriminator,
  isAnything,
  type Schema,
  type SchemaRegistry,
} from "../../core/schema/index.js";

/** Identifies the schemas of a {@link Branching} that apply. */
export type Outcome = string;

/** Every alternative of a union applies. */
const ALL = "all";

/** A keyword that decides by the value which other schemas apply to it. */
export interface Branching {
  /**
   * @param value An object or array.
   * @param remove Removes what is not declared if the outcome applies.
   */
  choose(value: object, remove: (outcome: Outcome, value: object) => unknown): Outcome;
  /** Lists the schemas that apply. */
  list(outcome: Outcome): readonly Schema[];
}

export interface BranchingOptions {
  readonly registry: SchemaRegistry;
  /** Compiles the test of a JSON value. */
  readonly compileTest: (schema: Schema) => (value: unknown) => boolean;
}

/** Lists the branchings of a schema that decide about members. Tests are compiled when they are first needed: it takes milliseconds. */
export function findBranchings(schema: Schema, options: BranchingOptions): readonly Branching[] {
  const { registry } = options;
  const { if: condition, then, else: otherwise, dependentSchemas = {} } = schema;
  const found: Branching[] = (["oneOf", "anyOf"] as const).flatMap((keyword) => {
    const alternatives = schema[keyword] ?? [];
    return hasMembers(alternatives, registry) ? [createUnion(schema, keyword, alternatives, options)] : [];
  });
  const branches = [otherwise, then].map((branch) => (branch === undefined ? [] : [branch]));
  if (condition !== undefined && hasMembers(branches.flat(), registry)) {
    const test = defer(() => options.compileTest(condition));
    found.push(toBranching((value) => test(toPlain(value)), branches));
  }
  for (const [name, dependent] of Object.entries(dependentSchemas))
    if (hasMembers([dependent], registry))
      found.push(
        toBranching((value) => !Array.isArray(value) && isSent(getOwn(value, name)), [[], [dependent]]),
      );
  return found;
}

/** @param branches Those that apply if the test fails, and if it succeeds. */
function toBranching(test: (value: object) => boolean, branches: readonly (readonly Schema[])[]): Branching {
  return { choose: (value) => (test(value) ? "1" : "0"), list: (outcome) => branches[Number(outcome)] ?? [] };
}

/**
 * Chooses among alternatives: the only one for objects or arrays, the one that the discriminator selects, those that match, or
 * those that match without their undeclared members. If there is none, all apply.
 */
function createUnion(
  schema: Schema,
  keyword: "oneOf" | "anyOf",
  alternatives: readonly Schema[],
  { registry, compileTest }: BranchingOptions,
): Branching {
  const findCandidates = (type: "object" | "array"): readonly Outcome[] =>
    alternatives.flatMap((one, index) => (isOfType(one, type, registry) ? [String(index)] : []));
  const [objects, arrays] = [findCandidates("object"), findCandidates("array")];
  const discriminator = findDiscriminator(schema, registry);
  const choices = new Map(
    discriminator?.choices.flatMap(({ values }, index) =>
      values.map((value) => [value, String(index)] as const),
    ),
  );
  const usual = discriminator?.choices.findIndex(({ isDefault }) => isDefault) ?? -1;
  const rest = usual < 0 ? ALL : String(usual);
  const tests = alternatives.map((alternative) => defer(() => compileTest(alternative)));
  const applied = alternatives.map((alternative) => toApplied(alternative, registry));
  return {
    choose(value, remove) {
      const candidates = Array.isArray(value) ? arrays : objects;
      if (candidates.length < 2) return candidates[0] ?? ALL;
      if (discriminator?.keyword === keyword)
        return choices.get(getOwn(value, discriminator.propertyName)) ?? rest;
      const plain = toPlain(value);
      const find = (toTested: (outcome: Outcome) => unknown) =>
        candidates.filter((outcome) => tests[Number(outcome)]?.(toTested(outcome))).join();
      return find(() => plain) || find((outcome) => remove(outcome, plain)) || ALL;
    },
    list(outcome) {
      if (outcome === ALL) return applied;
      return outcome.split(",").flatMap((index) => applied[Number(index)] ?? []);
    },
  };
}

/** An alternative that is any object declares any member. */
function toApplied(alternative: Schema, registry: SchemaRegistry): Schema {
  const { pointer } = alternative;
  const isAnyObject =
    isOfType(alternative, "object", registry) &&
    [...registry.parts(alternative)].every((part) => {
      const others = Object.entries(part).filter(([key]) => !["type", "reference", "allOf"].includes(key));
      return isAnything(Object.fromEntries(others) as unknown as Schema);
    });
  return isAnyObject ? { pointer, additionalProperties: anything(pointer) } : alternative;
}

function isOfType(schema: Schema, wanted: "object" | "array", registry: SchemaRegistry): boolean {
  return [...registry.parts(schema)].every(({ type }) => type?.includes(wanted) ?? true);
}

/** Tests whether schemas, or schemas within them, say anything about members of objects. */
function hasMembers(schemas: readonly Schema[], registry: SchemaRegistry): boolean {
  for (const schema of registry.walk(schemas)) if (ABOUT_MEMBERS.some((key) => key in schema)) return true;
  return false;
}

const ABOUT_MEMBERS = ["properties", "patternProperties", "additionalProperties", "unevaluatedProperties"];

function defer<Value>(compile: () => (value: unknown) => Value): (value: unknown) => Value {
  let compiled: ((value: unknown) => Value) | undefined;
  return (value) => (compiled ??= compile())(value);
}

/** Tests whether `JSON.stringify` sends a value. */
export function isSent(value: unknown): boolean {
  return !["undefined", "function", "symbol"].includes(typeof value);
}

/** Returns the value as it is sent. */
function toPlain(value: object): object {
  return isPlain(value) ? value : (JSON.parse(JSON.stringify(value)) as object);
}

function isPlain(value: unknown): boolean {
  if (typeof value !== "object")
    return ["string", "boolean"].includes(typeof value) || Number.isFinite(value);
  if (value === null) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return !("toJSON" in value) && Object.values(value).every(isPlain);
}
