import {
  type Alternative,
  formatAlternatives,
  formatPassing,
} from "../core/validation/closest-alternative.js";
import { formatError, type SchemaProblem, toKeys } from "../core/validation/schema-problem.js";
import { check, copy, type Failure, type Failures, isObject, MAX_FAILURES, type Rules, Run } from "./run.js";

/** Key of a schema's keywords. They are made when they are first needed, because schemas may refer to each other. */
export const RULES = Symbol("rules");

export interface WithRules {
  readonly [RULES]: () => Rules;
  /** Name of the component, for messages. */
  readonly name: string | undefined;
}

/**
 * A problem of a value.
 * @example
 * const issue: Issue = { path: ["tags", 0], message: "must be a string" };
 */
export interface Issue {
  /** The expectation, in the words of the server's message: `must be at most 100`. */
  readonly message: string;
  /** Names and indexes that lead to the value. */
  readonly path: readonly (string | number)[];
}

/**
 * The result of a validation: the value with its defaults, or the problems.
 * @example
 * const result: Validated<Pet> = validators.Pet["~standard"].validate(await response.json());
 */
export type Validated<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly Issue[] };

/**
 * A validator of JSON values for one schema of the contract, which implements Standard Schema. `Input` is the type that a caller
 * sends, `Output` that of a valid value, with its defaults.
 * @see https://standardschema.dev
 * @example
 * const validator: Validator<NewPet> = validators.NewPet;
 */
export interface Validator<Input, Output = Input> extends WithRules {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "tenon";
    /** Never throws, and never changes the value. */
    readonly validate: (value: unknown) => Validated<Output>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export interface SchemaOptions {
  /** Name of the component, for messages. */
  readonly name?: string;
  /** True if a default can be put into a value, which is copied before. */
  readonly defaults?: boolean;
}

/** Creates a validator. The generated `schemas.ts` has one for each schema. */
export function schema<Input = unknown, Output = Input>(
  makeRules: () => Rules,
  { name, defaults = false }: SchemaOptions = {},
): Validator<Input, Output> {
  let rules: Rules | undefined;
  const getRules = () => (rules ??= makeRules());
  const validate = (value: unknown): Validated<Output> => {
    if (value === undefined) return { issues: [{ path: [], message: "is required" }] };
    let output: unknown = value;
    const problems = findProblems(() => {
      if (defaults) output = copy(value);
      return check(getRules(), output, new Run());
    });
    return problems === undefined
      ? { value: output as Output }
      : { issues: problems.map((problem) => toIssue(problem, output)) };
  };
  return { [RULES]: getRules, name, "~standard": { version: 1, vendor: "tenon", validate } };
}

/** Formats the failures of a value in words; undefined if it has none. */
export function findProblems(validate: () => Failures | undefined): readonly SchemaProblem[] | undefined {
  try {
    const failures = validate();
    return failures && formatFailures(failures);
  } catch (error) {
    // The stack has no room for a value that is nested thousands of times, or contains itself.
    if (!(error instanceof RangeError)) throw error;
    return [{ path: [], text: "is nested too deeply" }];
  }
}

/** Formats failures in words, as the server does. */
function formatFailures(failures: Failures): readonly SchemaProblem[] {
  // The failures of `if` repeat others.
  const relevant = failures.filter(({ keyword }) => keyword !== "if");
  const all = relevant.length > 0 ? relevant : failures;
  return all.flatMap(formatFailure).slice(0, MAX_FAILURES);
}

function formatFailure(failure: Failure): readonly SchemaProblem[] {
  const { alternatives, params, instancePath } = failure;
  if (alternatives === undefined) return formatError(failure);
  const passing = params["passingSchemas"];
  const problems = Array.isArray(passing)
    ? formatPassing(passing as number[], (index) => alternatives[index]?.name)
    : formatAlternatives(
        alternatives.map(({ name, failures }): Alternative => ({
          name,
          errors: listAll(failures ?? []),
          isNever: failures === undefined,
          format: () => formatFailures(failures ?? []),
        })),
      );
  const path = toKeys(instancePath);
  return problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
}

/** Lists failures, and those of alternatives within them, each with its path from the same value. */
function listAll(failures: Failures, start = ""): Failures {
  return failures
    .flatMap((failure) => {
      const instancePath = start + failure.instancePath;
      const inner = (failure.alternatives ?? []).flatMap((one) => listAll(one.failures ?? [], instancePath));
      return [...inner, { ...failure, instancePath }];
    })
    .slice(0, MAX_FAILURES);
}

function toIssue({ path, text }: SchemaProblem, value: unknown): Issue {
  let current = value;
  const keys = path.map((key) => {
    const found = Array.isArray(current) ? Number(key) : key;
    current = isObject(current) ? (current as Record<string | number, unknown>)[found] : undefined;
    return found;
  });
  return { message: text, path: keys };
}

/**
 * Validators of an operation's JSON responses, by status and media type.
 * @example
 * const declared: Responses = { 200: { "application/json": validators.Pet } };
 */
export type Responses = Readonly<Record<string | number, Readonly<Record<string, Validator<unknown>>>>>;

/**
 * Validators of responses by `operationId`.
 * @example
 * const validate: ResponsesByOperation = { listPets: validators.listPetsResponses };
 */
export type ResponsesByOperation = Readonly<Record<string, Responses>>;
