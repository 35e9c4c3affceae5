import { getOwn } from "../../core/document/pointer.js";
import { type Schema, type SchemaRegistry, toRegExp } from "../../core/schema/index.js";
import { memoize } from "../http/memo.js";
import { type Branching, findBranchings, type Outcome } from "./branches.js";
import type { SideValidator } from "./side-validator.js";
import {
  apply,
  combine,
  type Member,
  Removals,
  type Remove,
  removeAll,
  removeFromItems,
  removeMembers,
} from "./removal.js";
import type { SideSchemas } from "./schemas.js";

/**
 * Removes the members of objects that a schema does not declare, as `JSON.stringify` would send them.
 * @returns the value itself if there are none, otherwise a copy: the value is not changed.
 */
export type RemoveUndeclared = (value: unknown, removals: Removals) => unknown;

/** Limit of the sets of schemas that are remembered: unions have a set for each of their outcomes. */
const MOST_COMPILED = 10_000;

export interface UndeclaredOptions {
  readonly registry: SchemaRegistry;
  readonly schemas: SideSchemas;
  readonly validator: SideValidator;
}

/**
 * Creates the compiler of {@link RemoveUndeclared}, which returns undefined if nothing can be undeclared. The schemas that apply to
 * a value are one schema, with its references, the parts of `allOf` and the alternatives that the value matches: a member is
 * declared if one of them declares it, in `properties` or as one of the others that are explicitly allowed. An object is left
 * alone if none of them has `properties`.
 */
export function createUndeclaredCompiler({
  registry,
  schemas,
  validator,
}: UndeclaredOptions): (schema: Schema) => RemoveUndeclared | undefined {
  const compileTest = (schema: Schema) => validator.compileTest(schemas.write(schema));
  const ids = new Map<object, number>();
  const branchings = new Map<Schema, readonly Branching[]>();
  const compiled = new Map<string, Remove | undefined>();
  /** The outcomes for the objects of the response in progress. */
  const chosen = new Set<Map<object, Outcome>>();

  function toId(part: object): number {
    const id = ids.get(part) ?? ids.size;
    ids.set(part, id);
    return id;
  }

  function getBranchings(part: Schema): readonly Branching[] {
    const found = branchings.get(part) ?? findBranchings(part, { registry, compileTest });
    branchings.set(part, found);
    return found;
  }

  /** @param decided The branchings whose outcome is among the schemas. */
  function compile(
    applied: Iterable<Schema>,
    decided: ReadonlySet<Branching> = new Set(),
  ): Remove | undefined {
    const parts = new Set<Schema>();
    for (const schema of applied) registry.parts(schema, parts);
    if (parts.size === 0) return undefined;
    const key = [...parts, ...decided].map(toId).sort().join();
    if (compiled.has(key)) return compiled.get(key);
    const made: { remove?: Remove | undefined } = {};
    // A schema may contain itself.
    compiled.set(key, (value, removals) => made.remove?.(value, removals) ?? value);
    const undecided = [...parts].flatMap(getBranchings).find((branching) => !decided.has(branching));
    made.remove =
      undecided === undefined
        ? combineTypes([...parts], createMembers([...parts]), createItems([...parts]))
        : createChoice(parts, undecided, decided);
    compiled.set(key, made.remove);
    return made.remove;
  }

  function createChoice(
    parts: ReadonlySet<Schema>,
    branching: Branching,
    others: ReadonlySet<Branching>,
  ): Remove {
    const decided = new Set([...others, branching]);
    // Compiled when a value first has the outcome. Responses choose them, so their number is limited.
    const find = memoize((outcome: Outcome) => {
      if (compiled.size > MOST_COMPILED) compiled.clear();
      return { remove: compile([...parts, ...branching.list(outcome)], decided) };
    });
    const removeIf = (outcome: Outcome, value: object, removals = new Removals()) =>
      find(outcome).remove?.(value, removals) ?? value;
    // An object is part of the attempts at each object around it: without these, time doubles with each level.
    const outcomes = new Map<object, Outcome>();
    return (value, removals) => {
      const outcome = outcomes.get(value) ?? branching.choose(value, removeIf);
      chosen.add(outcomes.set(value, outcome));
      return removeIf(outcome, value, removals);
    };
  }

  function createMembers(parts: readonly Schema[]): Remove | undefined {
    const { names, hasPatterns, find } = findDeclarations(parts, registry);
    const toMember = (name?: string): Member => {
      const { problem, schemas: declaring } = find(name);
      return { problem, remove: problem === undefined ? compile(declaring) : undefined };
    };
    const members = new Map([...names].map((name) => [name, toMember(name)]));
    if (hasPatterns) return removeMembers(members, memoize(toMember));
    const other = toMember();
    if ([other, ...members.values()].every(({ problem, remove }) => !(problem ?? remove))) return undefined;
    return removeMembers(members, () => other, other.problem !== undefined);
  }

  function createItems(parts: readonly Schema[]): Remove | undefined {
    const length = Math.max(...parts.map(({ prefixItems = [] }) => prefixItems.length), 0);
    const positions = Array.from({ length: length + 1 }, (_, index) =>
      compile(
        parts.flatMap(
          ({ prefixItems = [], items, unevaluatedItems }) =>
            prefixItems[index] ?? items ?? unevaluatedItems ?? [],
        ),
      ),
    );
    return positions.every((remove) => remove === undefined) ? undefined : removeFromItems(positions);
  }

  return (schema) => {
    const remove = compile([schema]);
    return remove && forgetAfter(remove, chosen);
  };
}

/** Runs the removal from a whole response, and forgets the outcomes: the next response may have the same objects with other members. */
function forgetAfter(remove: Remove, chosen: Set<Map<object, Outcome>>): RemoveUndeclared {
  return (value, removals) => {
    try {
      return apply(remove, value, "", removals);
    } finally {
      if (chosen.size > 0) {
        for (const outcomes of chosen) outcomes.clear();
        chosen.clear();
      }
    }
  };
}

/** Combines the removal from objects and from arrays. An array in place of an object is emptied, and an object in place of an array. */
function combineTypes(
  parts: readonly Schema[],
  members: Remove | undefined,
  items: Remove | undefined,
): Remove | undefined {
  const types = parts.flatMap(({ type }) => (type === undefined ? [] : [type]));
  const [hasObject, hasArray] = ["object", "array"].map((wanted) =>
    types.some((type) => (type as readonly string[]).includes(wanted)),
  );
  if (hasArray && !hasObject) return combine(removeAll, items ?? ((value) => value));
  return combine(members, hasObject && !hasArray && members ? removeAll : items);
}

interface Declarations {
  /** Names that the schemas mention. */
  readonly names: ReadonlySet<string>;
  /** True if the treatment of other names depends on the name. */
  readonly hasPatterns: boolean;
  /**
   * Finds the reason to remove the members with a name, and the schemas that declare them.
   * @param name Undefined for any name that is not mentioned.
   */
  readonly find: (
    name: string | undefined,
  ) => Pick<Member, "problem"> & { readonly schemas: readonly Schema[] };
}

/** @param parts The schemas that apply to an object. */
function findDeclarations(parts: readonly Schema[], registry: SchemaRegistry): Declarations {
  const isClosed =
    parts.some(({ properties = {} }) => Object.keys(properties).length > 0) &&
    parts.every(({ dynamicReference }) => dynamicReference === undefined);
  const listNames = (some: readonly Schema[]) =>
    some.flatMap(({ properties = {} }) => Object.keys(properties));
  // A condition mentions properties and says nothing about the others.
  const mentioned = new Set(
    listNames(parts.flatMap((part) => (part.if ? [...registry.parts(part.if)] : []))),
  );
  const patterns = new Map(
    parts.flatMap(({ patternProperties = {} }) =>
      Object.keys(patternProperties).map((pattern) => [pattern, toRegExp(pattern)] as const),
    ),
  );

  function listSchemas(part: Schema, name: string | undefined): readonly Schema[] {
    const { properties = {}, patternProperties = {}, additionalProperties } = part;
    const own = name === undefined ? undefined : getOwn(properties, name);
    const matching = Object.entries(patternProperties).flatMap(([pattern, schema]) =>
      name !== undefined && patterns.get(pattern)?.test(name) === true ? [schema] : [],
    );
    const found = own === undefined ? matching : [own, ...matching];
    return found.length > 0 || additionalProperties === undefined ? found : [additionalProperties];
  }

  return {
    names: new Set([...listNames(parts), ...mentioned]),
    hasPatterns: patterns.size > 0,
    find(name) {
      const evaluated = parts.flatMap((part) => listSchemas(part, name));
      const found =
        evaluated.length > 0 ? evaluated : parts.flatMap((part) => part.unevaluatedProperties ?? []);
      const schemas = found.filter(({ never }) => never !== true);
      const isRefused = found.length > 0 ? schemas.length === 0 : isClosed;
      const isMentioned = name !== undefined && mentioned.has(name);
      if (found.some((schema) => registry.isAbsent(schema, "response")))
        return { problem: "is writeOnly", schemas };
      return { problem: isRefused && !isMentioned ? "is not declared" : undefined, schemas };
    },
  };
}
