import { isNode } from "../../core/document/node.js";
import { getTarget, type JsonSchema } from "../../core/schema/index.js";
import {
  type Alternative,
  formatAlternatives as formatClosest,
  formatError,
  formatPassing,
  type SchemaProblem,
  toKeys,
  type Validate,
  type ValidatorError,
} from "../../core/validation/index.js";
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
    if (Array.isArray(passing)) return formatPassing(passing as number[], (index) => nameOf(schemas[index]));
    return formatClosest(schemas.map((one) => toAlternative(one, value, unions)));
  }

  function toAlternative(schema: unknown, value: unknown, unions: FormattedUnions): Alternative {
    if (!isObject(schema)) return { name: undefined, errors: [], isNever: true, format: () => [] };
    // Within a union, so that no default is put into the value.
    const validate = validators.get(schema) ?? compile({ anyOf: [schema] });
    validators.set(schema, validate);
    validate(value);
    const errors = (validate.errors ?? []).slice(0, -1);
    return { name: nameOf(schema), errors, isNever: false, format: () => format(errors, unions) };
  }

  return (errors) => {
    const [only] = errors;
    if (errors.length === 1 && only !== undefined && !isUnion(only)) return formatError(only);
    return format(errors, { valuesLeft: MAX_VALUES_VALIDATED, count: 0, problems: new Map() });
  };
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
