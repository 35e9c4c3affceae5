import { toRegExp } from "../core/schema/pattern.js";
import {
  check,
  copy,
  evaluate,
  type Evaluated,
  fail,
  type Failures,
  has,
  isMembers,
  join,
  type Keyword,
  listNames,
  MAX_FAILURES,
  type Members,
  type Rules,
  type Run,
  within,
} from "./run.js";

/** Other members than the declared ones. */
interface OtherMembers {
  readonly patterns?: Readonly<Record<string, Rules>>;
  readonly additional?: Rules;
}

/** `properties`, `patternProperties` and `additionalProperties`. */
export function properties(
  members: Readonly<Record<string, Rules>>,
  { patterns = {}, additional }: OtherMembers = {},
): Keyword {
  const declared = Object.entries(members);
  const matching = Object.entries(patterns).map(([source, rules]) => [toRegExp(source), rules] as const);
  const isDeclared = (name: string): boolean =>
    Object.hasOwn(members, name) || matching.some(([pattern]) => pattern.test(name));

  function checkOthers(value: Members, rules: Exclude<Rules, true>, run: Run): Failures | undefined {
    return ofEach(
      listNames(value).filter((name) => !isDeclared(name)),
      (name) =>
        rules === false
          ? fail("additionalProperties", { params: { additionalProperty: name } })
          : within(name, check(rules, value[name], run)),
    );
  }
  return {
    check(value, run) {
      if (!isMembers(value)) return undefined;
      let found =
        additional === undefined || additional === true ? undefined : checkOthers(value, additional, run);
      for (const [name, rules] of declared)
        if (has(value, name)) {
          const failures = check(rules, value[name], run);
          if (failures !== undefined) found = join(found, within(name, failures));
        }
      for (const [pattern, rules] of matching)
        for (const name of listNames(value))
          if (pattern.test(name)) found = join(found, within(name, check(rules, value[name], run)));
      return found;
    },
    evaluate(value, _, found) {
      if (!isMembers(value)) return;
      if (additional !== undefined) found.all = true;
      else for (const name of Object.keys(value)) if (isDeclared(name)) found.keys.add(name);
    },
  };
}

/** Puts defaults in the place of absent members. The value is a copy. */
export function defaults(values: Members): Keyword {
  return {
    check(value) {
      if (isMembers(value))
        for (const [name, usual] of Object.entries(values))
          if (!has(value, name)) (value as Record<string, unknown>)[name] = copy(usual);
      return undefined;
    },
  };
}

function ofMembers(checkMembers: (value: Members, run: Run) => Failures | undefined): Keyword {
  return { check: (value, run) => (isMembers(value) ? checkMembers(value, run) : undefined) };
}

export const maxProperties = (limit: number): Keyword =>
  ofMembers((value) =>
    listNames(value).length <= limit
      ? undefined
      : fail("maxProperties", { message: `must not have more than ${limit} properties` }),
  );

export const minProperties = (limit: number): Keyword =>
  ofMembers((value) =>
    listNames(value).length >= limit
      ? undefined
      : fail("minProperties", { message: `must not have fewer than ${limit} properties` }),
  );

export const required = (...names: readonly string[]): Keyword =>
  ofMembers((value) =>
    names.every((name) => has(value, name)) ? undefined : fail("required", { schema: names, data: value }),
  );

export const dependentRequired = (schema: Readonly<Record<string, readonly string[]>>): Keyword =>
  ofMembers((value) =>
    ofEach(Object.entries(schema), ([property, names]) =>
      !has(value, property) || names.every((name) => has(value, name))
        ? undefined
        : fail("dependentRequired", { params: { property }, schema, data: value }),
    ),
  );

export const propertyNames = (rules: Rules): Keyword =>
  ofMembers((value, run) =>
    ofEach(listNames(value), (name) =>
      check(rules, name, run) === undefined
        ? undefined
        : fail("propertyNames", { params: { propertyName: name } }),
    ),
  );

export function dependentSchemas(schemas: Readonly<Record<string, Rules>>): Keyword {
  const entries = Object.entries(schemas);
  const listApplied = (value: Members) => entries.filter(([name]) => has(value, name));
  return {
    ...ofMembers((value, run) => ofEach(listApplied(value), ([, rules]) => check(rules, value, run))),
    evaluate(value, run, found) {
      if (isMembers(value)) for (const [, rules] of listApplied(value)) evaluate(rules, value, run, found);
    },
  };
}

function ofItems(
  checkItems: (items: readonly unknown[], run: Run) => Failures | undefined,
  evaluateItems?: (items: readonly unknown[], run: Run, found: Evaluated) => void,
): Keyword {
  return {
    check: (value, run) => (Array.isArray(value) ? checkItems(value, run) : undefined),
    evaluate(value, run, found) {
      if (Array.isArray(value)) evaluateItems?.(value, run, found);
    },
  };
}

export const maxItems = (limit: number): Keyword =>
  ofItems(({ length }) =>
    length <= limit ? undefined : fail("maxItems", { message: `must not have more than ${limit} items` }),
  );

export const minItems = (limit: number): Keyword =>
  ofItems(({ length }) =>
    length >= limit ? undefined : fail("minItems", { message: `must not have fewer than ${limit} items` }),
  );

export const prefixItems = (...first: readonly Rules[]): Keyword =>
  ofItems(
    (items, run) =>
      ofEach([...first.entries()], ([index, rules]) =>
        index < items.length ? within(index, check(rules, items[index], run)) : undefined,
      ),
    (_, __, found) => {
      for (const index of first.keys()) found.keys.add(String(index));
    },
  );

/** @param start Number of items that `prefixItems` describes. */
export const items = (rules: Rules, start = 0): Keyword =>
  ofItems(
    (all, run) => {
      if (rules === true || all.length <= start) return undefined;
      if (rules === false && start > 0)
        return fail("items", { message: `must not have more than ${start} items` });
      let found: Failures | undefined;
      for (let index = start; index < all.length && (found?.length ?? 0) < MAX_FAILURES; index += 1) {
        const failures = check(rules, all[index], run);
        if (failures !== undefined) found = join(found, within(index, failures));
      }
      return found;
    },
    (_, __, found) => {
      found.all = true;
    },
  );

export const uniqueItems = (): Keyword =>
  ofItems((all, run) => {
    const params = run.findEqualItems(all);
    return params && fail("uniqueItems", { params: { ...params } });
  });

export const contains = (rules: Rules, least = 1, most = Infinity): Keyword =>
  ofItems(
    (all, run) => {
      const enough = most === Infinity ? least : most + 1;
      let count = 0;
      for (const item of all) {
        if (count >= enough) break;
        if (run.once(rules, item) === undefined) count += 1;
      }
      if (count >= least && count <= most) return undefined;
      const limit = most === Infinity ? "" : ` and no more than ${most}`;
      return fail("contains", { message: `must contain at least ${least}${limit} valid item(s)` });
    },
    (all, run, found) => {
      for (const [index, item] of all.entries())
        if (run.once(rules, item) === undefined) found.keys.add(String(index));
    },
  );

/** @param beside All other keywords of the schema. */
export function unevaluatedProperties(beside: Rules, rules: Rules): Keyword {
  return unevaluated(beside, isMembers, (value, rest, run) =>
    ofEach(rest, (name) =>
      rules === false
        ? fail("unevaluatedProperties", { params: { unevaluatedProperty: name } })
        : within(name, check(rules, (value as Members)[name], run)),
    ),
  );
}

/** @param beside All other keywords of the schema. */
export function unevaluatedItems(beside: Rules, rules: Rules): Keyword {
  return unevaluated(beside, Array.isArray, (value, rest, run) => {
    const all = value as readonly unknown[];
    const [first = ""] = rest;
    if (rules === false && rest.length > 0 && rest.length === all.length - Number(first))
      return fail("unevaluatedItems", { message: `must not have more than ${first} items` });
    return ofEach(rest, (index) =>
      within(
        index,
        rules === false
          ? fail("unevaluatedItems", { message: "is not allowed" })
          : check(rules, all[Number(index)], run),
      ),
    );
  });
}

function unevaluated(
  beside: Rules,
  applies: (value: unknown) => boolean,
  checkRest: (value: object, rest: readonly string[], run: Run) => Failures | undefined,
): Keyword {
  return {
    check(value, run) {
      const failures = check(beside, value, run);
      if (!applies(value)) return failures;
      const found: Evaluated = { keys: new Set(), all: false };
      evaluate(beside, value as object, run, found);
      if (found.all) return failures;
      const names = Array.isArray(value) ? Object.keys(value) : listNames(value as Members);
      const rest = names.filter((name) => !found.keys.has(name));
      return join(failures, checkRest(value as object, rest, run));
    },
    evaluate(value, run, found) {
      if (applies(value)) found.all = true;
      else evaluate(beside, value, run, found);
    },
  };
}

function ofEach<Item>(
  all: readonly Item[],
  checkOne: (item: Item) => Failures | undefined,
): Failures | undefined {
  let found: Failures | undefined;
  for (const item of all) {
    found = join(found, checkOne(item));
    if (found !== undefined && found.length >= MAX_FAILURES) break;
  }
  return found;
}
