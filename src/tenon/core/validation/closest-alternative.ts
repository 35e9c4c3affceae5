import {
  formatError,
  listTypes,
  oneOfValues,
  type SchemaProblem,
  toKeys,
  typesOf,
  type ValidatorError,
} from "./schema-problem.js";

/** The errors of a value as one alternative of a union. */
export interface Alternative {
  /** Name of the component that it is. */
  readonly name: string | undefined;
  /** All of them, also those of alternatives within it. */
  readonly errors: readonly ValidatorError[];
  /** True for the schema `false`. */
  readonly isNever: boolean;
  readonly format: () => readonly SchemaProblem[];
}

/** 0: the alternative may well be meant; 1: a value such as `kind: "cat"` says otherwise; 2: the value is of another type. */
function getDistance({ errors, isNever }: Alternative): 0 | 1 | 2 {
  if (isNever || errors.some(isTypeOfWhole)) return 2;
  return errors.some(isOfValue) ? 1 : 0;
}

/** Formats the problem of a value that matches two alternatives of `oneOf`: `must match only one of Cat, Dog`. */
export function formatPassing(
  passing: readonly number[],
  nameOf: (index: number) => string | undefined,
): readonly SchemaProblem[] {
  const names = passing.map((index) => nameOf(index) ?? `alternative ${index + 1}`);
  return [{ path: [], text: `must match only one of ${names.join(", ")}` }];
}

/** Formats the problems of a value that matches no alternative: those of the closest one, or what there is to choose from. */
export function formatAlternatives(alternatives: readonly Alternative[]): readonly SchemaProblem[] {
  const distances = alternatives.map(getDistance);
  const least = Math.min(...distances);
  const near = alternatives.filter((_, index) => distances[index] === least);
  return least === 2 ? formatTypes(near) : (formatValues(near) ?? formatClosest(near));
}

function formatClosest(near: readonly Alternative[]): readonly SchemaProblem[] {
  const counted = near.map(({ name, errors, format }) => {
    const problems = format();
    // Missing members count double: present ones say more about the intended alternative.
    const missing = errors.filter(isMissing).flatMap(formatError);
    return { name, problems, count: problems.length + missing.length };
  });
  const least = Math.min(...counted.map(({ count }) => count));
  const closest = counted.filter(({ count }) => count === least);
  const names = closest.flatMap(({ name }) => name ?? []);
  if (closest.length > 1 && names.length === closest.length)
    return [{ path: [], text: `must match one of ${names.join(", ")}` }];
  return closest[0]?.problems ?? [];
}

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
