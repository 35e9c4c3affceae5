import { listTypes, oneOfValues, toTold, typesOf } from "./problem-text.js";
import { type SchemaProblem, toKeys, type ToldProblem, type Validate } from "./schema-problem.js";

export interface TellOptions {
  /** Compiles one alternative of a union; done when the union first fails. */
  readonly compile: (schema: object) => Validate;
  /** What references in schemas lead to. */
  readonly schemas: ReadonlyMap<string, unknown>;
}

/** Puts the validator's problems with a value into words. */
export type TellProblems = (problems: readonly SchemaProblem[], value: unknown) => readonly ToldProblem[];

/** Telling one costs as much as validating its value once more, and a body may have thousands. */
const MAX_UNIONS_TOLD = 20;

/** What is wrong with a value as one alternative of a union. */
interface Judged {
  readonly schema: unknown;
  readonly problems: readonly SchemaProblem[];
  /** 0: it may well be meant; 1: a value such as `kind: "cat"` says otherwise; 2: it is of another type. */
  readonly distance: 0 | 1 | 2;
}

/**
 * The validator tells every alternative of a union that does not fit, one after the other, and that none did. A caller meant one
 * of them: what is told is the closest one's problems, or what there is to choose from.
 */
export function createTeller({ compile, schemas }: TellOptions): TellProblems {
  const validators = new WeakMap<object, Validate>();
  const reached = new WeakMap<object, ReadonlySet<unknown>>();

  const tell: TellProblems = (problems, value) => {
    const outside: SchemaProblem[] = [];
    for (const problem of problems) {
      // What is told of a union's alternatives stands right before what is told of the union.
      while (isUnion(problem) && isWithin(outside.at(-1), problem)) outside.pop();
      outside.push(problem);
    }
    // That a condition's branch does not match is told by what does not match in it, and a bad name by whose it is.
    const told = outside.filter(
      ({ keyword, propertyName }) => keyword !== "if" && propertyName === undefined,
    );
    let unions = 0;
    return (told.length > 0 ? told : outside).flatMap((problem) =>
      isUnion(problem) && (unions += 1) <= MAX_UNIONS_TOLD
        ? tellUnion(problem, valueAt(value, problem.instancePath))
        : [toTold(problem)],
    );
  };

  function isWithin(problem: SchemaProblem | undefined, union: SchemaProblem): boolean {
    if (problem === undefined) return false;
    const { instancePath, parentSchema } = problem;
    const { instancePath: path, schema } = union;
    if (instancePath !== path && !instancePath.startsWith(`${path}/`)) return false;
    return isObject(schema) && subschemasOf(schema).has(parentSchema);
  }

  function tellUnion(
    { instancePath, schema, params }: SchemaProblem,
    value: unknown,
  ): readonly ToldProblem[] {
    const path = toKeys(instancePath);
    const alternatives = schema as readonly unknown[];
    const passing = params["passingSchemas"];
    if (Array.isArray(passing)) {
      const names = passing.map((index: number) => nameOf(alternatives[index]) ?? `alternative ${index + 1}`);
      return [{ path, text: `must match only one of ${names.join(", ")}` }];
    }
    const judged = alternatives.map((alternative) => judge(alternative, value));
    const least = Math.min(...judged.map(({ distance }) => distance));
    const near = judged.filter(({ distance }) => distance === least);
    const inner = least === 2 ? tellTypes(near) : (tellValues(near) ?? tellClosest(near, value));
    return inner.map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
  }

  function judge(schema: unknown, value: unknown): Judged {
    if (!isObject(schema)) return { schema, problems: [], distance: 2 };
    // Within a union, so that no default is put into the value.
    const validate = validators.get(schema) ?? compile({ anyOf: [schema] });
    validators.set(schema, validate);
    validate(value);
    const problems = (validate.errors ?? []).slice(0, -1);
    const distance = problems.some(isTypeOfWhole) ? 2 : problems.some(isOfValue) ? 1 : 0;
    return { schema, problems, distance };
  }

  function tellClosest(near: readonly Judged[], value: unknown): readonly ToldProblem[] {
    const counted = near.map(({ schema, problems }) => {
      const told = tell(problems, value);
      // What is there says more about what was meant than what is missing.
      return { schema, told, count: told.length + problems.filter(isMissing).length };
    });
    const least = Math.min(...counted.map(({ count }) => count));
    const closest = counted.filter(({ count }) => count === least);
    const names = closest.flatMap(({ schema }) => nameOf(schema) ?? []);
    if (closest.length > 1 && names.length === closest.length)
      return [{ path: [], text: `must match one of ${names.join(", ")}` }];
    return closest[0]?.told ?? [];
  }

  /** Every schema that an alternative consists of. */
  function subschemasOf(union: object): ReadonlySet<unknown> {
    const known = reached.get(union);
    if (known !== undefined) return known;
    const found = new Set<unknown>();
    const visit = (node: unknown): void => {
      if (!isObject(node) || found.has(node)) return;
      found.add(node);
      for (const child of Object.values(node)) visit(child);
      const { $ref: reference } = node as { readonly $ref?: unknown };
      if (typeof reference === "string") visit(schemas.get(reference));
    };
    visit(union);
    reached.set(union, found);
    return found;
  }

  return tell;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const isUnion = ({ keyword }: SchemaProblem): boolean => keyword === "oneOf" || keyword === "anyOf";
const isTypeOfWhole = ({ instancePath, keyword }: SchemaProblem): boolean =>
  instancePath === "" && keyword === "type";
const isMissing = ({ keyword }: SchemaProblem): boolean => keyword === "required";
const isChoice = ({ keyword }: SchemaProblem): boolean => keyword === "const" || keyword === "enum";
/** Of the value itself or of one of its members, which may say which alternative it is. */
const isOfValue = (problem: SchemaProblem): boolean =>
  isChoice(problem) && problem.instancePath.split("/").length <= 2;

/** `must be a string or an integer`, of alternatives that are all of another type. */
function tellTypes(near: readonly Judged[]): readonly ToldProblem[] {
  const types = near.flatMap(({ problems }) =>
    problems
      .filter(isTypeOfWhole)
      .flatMap(({ params, parentSchema }) => typesOf(params["type"], parentSchema)),
  );
  return types.length === 0
    ? [{ path: [], text: "is not allowed" }]
    : [{ path: [], text: `must be ${listTypes(types)}` }];
}

/** `must be one of cat, dog`, where all that keeps a value from each alternative is said in the same place. */
function tellValues(near: readonly Judged[]): readonly ToldProblem[] | undefined {
  const choices = near.map(({ problems }) => problems.find(isOfValue));
  const [first] = choices;
  if (near.length < 2 || first === undefined) return undefined;
  if (!choices.every((choice) => choice?.instancePath === first.instancePath)) return undefined;
  const values = choices.flatMap(
    (choice) => choice?.params["allowedValues"] ?? choice?.params["allowedValue"] ?? null,
  );
  return [{ path: toKeys(first.instancePath), text: oneOfValues(values) }];
}

/** What the contract calls an alternative that is a component. */
function nameOf(schema: unknown): string | undefined {
  const reference = isObject(schema) ? (schema as { readonly $ref?: unknown }).$ref : undefined;
  return typeof reference === "string"
    ? /^contract:S\d+:(?<name>\w+)$/.exec(reference)?.groups?.["name"]
    : undefined;
}

function valueAt(value: unknown, pointer: string): unknown {
  return toKeys(pointer).reduce<unknown>(
    (node, key) => (isObject(node) ? (node as Readonly<Record<string, unknown>>)[key] : undefined),
    value,
  );
}
