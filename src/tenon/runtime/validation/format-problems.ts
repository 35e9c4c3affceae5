import { isNode } from "../../core/document/node.js";
import { getTarget, type JsonSchema } from "../../core/schema/index.js";
import {
  formatError,
  listTypes,
  oneOfValues,
  type SchemaProblem,
  toKeys,
  typesOf,
  type Validate,
  type ValidatorError,
} from "./schema-problem.js";
import { toComponentName } from "./schemas.js";

export interface FormatOptions {
  /** Compiles one alternative of a union; done when the union first fails. */
  readonly compile: (schema: object) => Validate;
  /** Schemas that others refer to, by URI. */
  readonly schemas: ReadonlyMap<string, JsonSchema>;
}

/** Formats the validator's errors about a value in words. */
export type FormatProblems = (errors: readonly ValidatorError[]) => readonly SchemaProblem[];

/** A response has no more; a body may have tens of thousands. */
const MAX_PROBLEMS = 100;

/** Formatting one costs as much as validating its value once more, and a body may have thousands, also within each other. */
const MAX_UNIONS_FORMATTED = 20;
const MAX_VALUES_VALIDATED = 200_000;

/** The unions formatted so far. */
interface FormattedUnions {
  /** Values that can still be validated once more for an alternative. */
  valuesLeft: number;
  count: number;
  /** Problems by the schemas of the alternatives and by the value. */
  readonly problems: Map<unknown, Map<unknown, readonly SchemaProblem[]>>;
}

/** The errors of a value as one alternative of a union. */
interface Alternative {
  readonly schema: unknown;
  readonly errors: readonly ValidatorError[];
  /** 0: it may well be meant; 1: a value such as `kind: "cat"` says otherwise; 2: it is of another type. */
  readonly distance: 0 | 1 | 2;
}

/**
 * The validator reports every alternative of a union that does not fit, one after the other, and that none did. A caller meant
 * one of them: the result has the closest one's problems, or what there is to choose from.
 */
export function createProblemFormatter({ compile, schemas }: FormatOptions): FormatProblems {
  const validators = new WeakMap<object, Validate>();
  const subschemasOf = createSubschemas(schemas);

  const format = (errors: readonly ValidatorError[], unions: FormattedUnions): readonly SchemaProblem[] => {
    const outside: ValidatorError[] = [];
    for (const error of errors) {
      // Errors of a union's alternatives come right before that of the union.
      while (isUnion(error) && isWithin(outside.at(-1), error)) outside.pop();
      outside.push(error);
    }
    // The errors of `if` and of property names repeat other errors.
    const relevant = outside.filter(
      ({ keyword, propertyName }) => keyword !== "if" && propertyName === undefined,
    );
    const all = relevant.length > 0 ? relevant : outside;
    const problems = all
      .slice(0, MAX_PROBLEMS)
      .flatMap((error) => (isUnion(error) ? formatUnion(error, unions) : formatError(error)));
    const more = problems.length - MAX_PROBLEMS + Math.max(0, all.length - MAX_PROBLEMS);
    return addMore(problems.slice(0, MAX_PROBLEMS), more);
  };

  function isWithin(error: ValidatorError | undefined, union: ValidatorError): boolean {
    if (error === undefined || !`${error.instancePath}/`.startsWith(`${union.instancePath}/`)) return false;
    return isObject(union.schema) && subschemasOf(union.schema).has(error.parentSchema);
  }

  function formatUnion(error: ValidatorError, unions: FormattedUnions): readonly SchemaProblem[] {
    const { schema, data: value } = error;
    const known = unions.problems.get(schema) ?? new Map<unknown, readonly SchemaProblem[]>();
    let inner = known.get(value);
    if (inner === undefined) {
      unions.count += 1;
      unions.valuesLeft -= countValues(value, unions.valuesLeft) * (schema as readonly unknown[]).length;
      if (unions.count > MAX_UNIONS_FORMATTED || unions.valuesLeft < 0) return formatError(error);
      unions.problems.set(schema, known);
      inner = formatAlternatives(error, unions);
      known.set(value, inner);
    }
    const path = toKeys(error.instancePath);
    return inner.map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
  }

  function formatAlternatives(
    { schema, params, data: value }: ValidatorError,
    unions: FormattedUnions,
  ): readonly SchemaProblem[] {
    const schemas = schema as readonly unknown[];
    const passing = params["passingSchemas"];
    if (Array.isArray(passing)) {
      const names = passing.map((index: number) => nameOf(schemas[index]) ?? `alternative ${index + 1}`);
      return [{ path: [], text: `must match only one of ${names.join(", ")}` }];
    }
    const alternatives = schemas.map((one) => toAlternative(one, value));
    const least = Math.min(...alternatives.map(({ distance }) => distance));
    const near = alternatives.filter(({ distance }) => distance === least);
    return least === 2 ? formatTypes(near) : (formatValues(near) ?? formatClosest(near, unions));
  }

  function toAlternative(schema: unknown, value: unknown): Alternative {
    if (!isObject(schema)) return { schema, errors: [], distance: 2 };
    // Within a union, so that no default is put into the value.
    const validate = validators.get(schema) ?? compile({ anyOf: [schema] });
    validators.set(schema, validate);
    validate(value);
    const errors = (validate.errors ?? []).slice(0, -1);
    const distance = errors.some(isTypeOfWhole) ? 2 : errors.some(isOfValue) ? 1 : 0;
    return { schema, errors, distance };
  }

  function formatClosest(near: readonly Alternative[], unions: FormattedUnions): readonly SchemaProblem[] {
    const counted = near.map(({ schema, errors }) => {
      const problems = format(errors, unions);
      // Missing members count double: present ones say more about the intended alternative.
      const missing = errors.filter(isMissing).flatMap(formatError);
      return { schema, problems, count: problems.length + missing.length };
    });
    const least = Math.min(...counted.map(({ count }) => count));
    const closest = counted.filter(({ count }) => count === least);
    const names = closest.flatMap(({ schema }) => nameOf(schema) ?? []);
    if (closest.length > 1 && names.length === closest.length)
      return [{ path: [], text: `must match one of ${names.join(", ")}` }];
    return closest[0]?.problems ?? [];
  }

  return (errors) => format(errors, { valuesLeft: MAX_VALUES_VALIDATED, count: 0, problems: new Map() });
}

/** Creates a function that finds every schema that an alternative consists of. */
function createSubschemas(schemas: FormatOptions["schemas"]): (union: object) => ReadonlySet<unknown> {
  const reached = new WeakMap<object, ReadonlySet<unknown>>();
  return (union) => {
    const known = reached.get(union);
    if (known !== undefined) return known;
    const found = new Set<unknown>();
    const visit = (node: unknown): void => {
      if (!isObject(node) || found.has(node)) return;
      found.add(node);
      for (const child of Object.values(node)) visit(child);
      const target = isNode(node) ? getTarget(node) : undefined;
      if (target !== undefined) visit(schemas.get(target));
    };
    visit(union);
    reached.set(union, found);
    return found;
  };
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const isUnion = ({ keyword }: ValidatorError): boolean => keyword === "oneOf" || keyword === "anyOf";
const isTypeOfWhole = ({ instancePath, keyword }: ValidatorError): boolean =>
  instancePath === "" && keyword === "type";
const isMissing = ({ keyword }: ValidatorError): boolean => keyword === "required";
const isChoice = ({ keyword }: ValidatorError): boolean => keyword === "const" || keyword === "enum";
/** True for a `const` or `enum` of the value itself or of a member, which may identify the alternative. */
const isOfValue = (error: ValidatorError): boolean =>
  isChoice(error) && error.instancePath.split("/").length <= 2;

/** `must be a string or an integer`, of alternatives that are all of another type. */
function formatTypes(near: readonly Alternative[]): readonly SchemaProblem[] {
  const types = near.flatMap(({ errors }) =>
    errors.filter(isTypeOfWhole).flatMap(({ params }) => typesOf(params["type"])),
  );
  return [{ path: [], text: types.length === 0 ? "is not allowed" : `must be ${listTypes(types)}` }];
}

/** `must be one of cat, dog`, where all that keeps a value from each alternative is said in the same place. */
function formatValues(near: readonly Alternative[]): readonly SchemaProblem[] | undefined {
  const choices = near.map(({ errors }) => errors.find(isOfValue));
  const [first] = choices;
  if (near.length < 2 || first === undefined) return undefined;
  if (!choices.every((choice) => choice?.instancePath === first.instancePath)) return undefined;
  const values = choices.flatMap(
    (choice) => choice?.params["allowedValues"] ?? choice?.params["allowedValue"] ?? null,
  );
  return [{ path: toKeys(first.instancePath), text: oneOfValues(values) }];
}

/** Returns the name of an alternative that is a component. */
function nameOf(schema: unknown): string | undefined {
  const target = isNode(schema) ? getTarget(schema) : undefined;
  return target === undefined ? undefined : toComponentName(target);
}

/** Adds the number of problems that are not formatted to the first one. */
function addMore(problems: readonly SchemaProblem[], more: number): readonly SchemaProblem[] {
  const [first, ...rest] = problems;
  return first !== undefined && more > 0 ? [{ ...first, more }, ...rest] : problems;
}

/** Counts a value and those in it, up to a limit. */
function countValues(value: unknown, limit: number): number {
  let count = 1;
  if (isObject(value))
    for (const member of Object.values(value)) {
      if (count > limit) break;
      count += countValues(member, limit - count);
    }
  return count;
}
