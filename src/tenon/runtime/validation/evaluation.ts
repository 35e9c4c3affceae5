import { getOwn } from "../../core/document/pointer.js";
import { getTarget, type JsonSchema, toRegExp } from "../../core/schema/index.js";
import type { Validate, ValidatorError } from "../../core/validation/index.js";

/** The validator's methods that its keywords need. */
export interface SchemaCompiler {
  compile(schema: JsonSchema): Validate;
  /** Returns the schema for an absolute reference. */
  resolve(reference: string): JsonSchema | undefined;
}

export type Keywords = Exclude<JsonSchema, boolean>;

/** Names or indexes that a schema has evaluated; `all` if it has evaluated everything. */
interface Evaluated {
  readonly keys: Set<string>;
  all: boolean;
}

/** Results for the values of one request body or response. */
interface Run {
  /** Number of errors that may still be kept. */
  errorsLeft: number;
  readonly passed: ByValue<boolean>;
  readonly evaluated: ByValue<Evaluated>;
  readonly members: ByValue<Member>;
}

/** Results for objects and arrays. A schema may refer to itself in several places: without these, time doubles with each level. */
type ByValue<Result> = WeakMap<object, Map<JsonSchema, Result>>;

/** Errors of a member or item, which have its name or index in their paths. */
interface Member {
  readonly key: string;
  readonly errors: readonly ValidatorError[];
}

function getResults<Result>(all: ByValue<Result>, value: object): Map<JsonSchema, Result> {
  const results = all.get(value) ?? new Map<JsonSchema, Result>();
  all.set(value, results);
  return results;
}

/** Errors that are kept of one value. */
export const MAX_ERRORS = 100;

/** All keywords together keep no more errors, and then one each: those of a deep value are copied at each level. */
const MAX_KEPT_ERRORS = 1_000;

/** Determines what schemas evaluate. Each object is compared with each alternative once, whatever is around it. */
export class Evaluation {
  readonly #compiler: SchemaCompiler;
  readonly #tests = new WeakMap<object, (value: unknown) => boolean>();
  readonly #validators = new WeakMap<object, Validate>();
  readonly #runs = new WeakMap<object, Run>();
  /** The run whose alternatives are being tested: a test has another root. */
  #current: Run | undefined;

  constructor(compiler: SchemaCompiler) {
    this.#compiler = compiler;
  }

  getRun(rootData: object): Run {
    if (this.#current !== undefined) return this.#current;
    const run = this.#runs.get(rootData) ?? {
      errorsLeft: MAX_KEPT_ERRORS,
      passed: new WeakMap(),
      evaluated: new WeakMap(),
      members: new WeakMap(),
    };
    this.#runs.set(rootData, run);
    return run;
  }

  #within<Result>(run: Run, action: () => Result): Result {
    const outer = this.#current;
    this.#current = run;
    try {
      return action();
    } finally {
      this.#current = outer;
    }
  }

  /** Tests whether a value is valid. The schema is compiled on first use, because it may refer to itself. */
  #test(schema: JsonSchema, value: unknown): boolean {
    if (typeof schema === "boolean") return schema;
    let passes = this.#tests.get(schema);
    if (passes === undefined) {
      // Within `not`, no default is put into the value.
      const fails = this.#compiler.compile({ properties: { value: { not: schema } } });
      passes = (one) => fails({ value: one }) !== true;
      this.#tests.set(schema, passes);
    }
    return passes(value);
  }

  /** Lists the errors of members or items, for as many of them as are kept. */
  validateMembers(
    run: Run,
    schema: Keywords,
    value: object,
    keys: readonly string[],
  ): readonly ValidatorError[] {
    const errors: ValidatorError[] = [];
    for (const key of keys) {
      const found = this.#validateMember(run, schema, key, getOwn(value, key));
      errors.push(...found.slice(0, MAX_ERRORS));
      if (errors.length >= MAX_ERRORS) break;
    }
    return errors;
  }

  #validateMember(run: Run, schema: Keywords, key: string, member: unknown): readonly ValidatorError[] {
    const known = isObject(member) ? getResults(run.members, member) : undefined;
    const before = known?.get(schema);
    if (before !== undefined && (before.errors.length === 0 || before.key === key)) return before.errors;
    const validate = this.#getValidator(schema);
    this.#within(run, () => validate({ [key]: member }));
    const errors = validate.errors ?? [];
    known?.set(schema, { key, errors });
    return errors;
  }

  /** Compiles the schema of members on first use, because it may refer to itself. */
  #getValidator(schema: Keywords): Validate {
    const validate = this.#validators.get(schema) ?? this.#compiler.compile({ additionalProperties: schema });
    this.#validators.set(schema, validate);
    return validate;
  }

  /**
   * Finds what a schema evaluates in a value that is valid for it.
   * @param isOuter True for the schema with the keyword, which is not evaluated itself.
   */
  evaluate(run: Run, schema: Keywords, value: object, isOuter: boolean): Evaluated {
    const known = getResults(run.evaluated, value);
    const before = isOuter ? undefined : known.get(schema);
    if (before !== undefined) return before;
    const found: Evaluated = { keys: new Set(), all: false };
    if (Array.isArray(value)) this.#evaluateItems(run, schema, value, found, isOuter);
    else evaluateMembers(schema, value, found, isOuter);
    for (const part of this.#listApplied(run, schema, value)) {
      if (found.all || typeof part === "boolean") continue;
      const inner = this.evaluate(run, part, value, false);
      found.all ||= inner.all;
      for (const key of inner.keys) found.keys.add(key);
    }
    if (!isOuter) known.set(schema, found);
    return found;
  }

  passes(run: Run, schema: JsonSchema, value: unknown): boolean {
    const known = isObject(value) ? getResults(run.passed, value) : undefined;
    const found = known?.get(schema) ?? this.#within(run, () => this.#test(schema, value));
    known?.set(schema, found);
    return found;
  }

  /** Lists the schemas that apply to the same value, of alternatives the valid ones. */
  *#listApplied(run: Run, schema: Keywords, value: object): Iterable<JsonSchema> {
    const { allOf = [], anyOf = [], oneOf = [], dependentSchemas = {} } = schema as Applicators;
    const reference = getTarget(schema);
    const target = reference === undefined ? undefined : this.#compiler.resolve(reference);
    if (target !== undefined) yield target;
    yield* allOf;
    for (const alternative of [...anyOf, ...oneOf])
      if (this.passes(run, alternative, value)) yield alternative;
    // An array has members with such names, too, such as `length`.
    if (!Array.isArray(value))
      for (const [name, dependent] of Object.entries(dependentSchemas))
        if (getOwn(value, name) !== undefined) yield dependent;
    const { if: condition, then: consequence, else: otherwise } = schema as Applicators;
    if (condition === undefined) return;
    const isMet = this.passes(run, condition, value);
    if (isMet) yield condition;
    const chosen = isMet ? consequence : otherwise;
    if (chosen !== undefined) yield chosen;
  }

  #evaluateItems(
    run: Run,
    schema: Keywords,
    value: readonly unknown[],
    found: Evaluated,
    isOuter: boolean,
  ): void {
    const { prefixItems = [], items, contains, unevaluatedItems } = schema as Applicators;
    if (items !== undefined || (!isOuter && unevaluatedItems !== undefined)) found.all = true;
    if (found.all) return;
    for (const index of prefixItems.keys()) found.keys.add(String(index));
    if (contains === undefined) return;
    for (const [index, item] of value.entries())
      if (this.passes(run, contains, item)) found.keys.add(String(index));
  }
}

/** The keywords that apply schemas. */
export interface Applicators {
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly if?: JsonSchema;
  readonly then?: JsonSchema;
  readonly else?: JsonSchema;
  readonly dependentSchemas?: Readonly<Record<string, JsonSchema>>;
  readonly properties?: object;
  readonly patternProperties?: object;
  readonly additionalProperties?: JsonSchema;
  readonly unevaluatedProperties?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly contains?: JsonSchema;
  readonly minContains?: number;
  readonly maxContains?: number;
  readonly unevaluatedItems?: JsonSchema;
}

function evaluateMembers(schema: Keywords, value: object, found: Evaluated, isOuter: boolean): void {
  const {
    properties = {},
    patternProperties = {},
    additionalProperties,
    unevaluatedProperties,
  } = schema as Applicators;
  if (additionalProperties !== undefined || (!isOuter && unevaluatedProperties !== undefined))
    found.all = true;
  if (found.all) return;
  const patterns = Object.keys(patternProperties).map(toRegExp);
  for (const name of Object.keys(value))
    if (Object.hasOwn(properties, name) || patterns.some((pattern) => pattern.test(name)))
      found.keys.add(name);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
