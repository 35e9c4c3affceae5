import { getOwn } from "../../../core/document/pointer.js";
import { isNode } from "../../../core/document/node.js";
import { getTarget, type JsonSchema, type JsonType } from "../../../core/schema/index.js";
import { typesOf, type Validate, type ValidatorError } from "../../../core/validation/index.js";
import type { Keywords } from "../evaluation.js";
import { type Context, GROUPS, hasType, type Inner } from "./keywords.js";
import { MULTIPLE_OF } from "../multiple-of.js";
import { createCompilers, type SideValidator, type Validators } from "../side-validator.js";
import { createEvaluatingKeywords } from "../unevaluated.js";
import { UNIQUE_ITEMS } from "../unique-items.js";

/**
 * Creates validators that interpret schemas, for places that forbid the evaluation of code, such as pages with a strict policy. They
 * have the verdicts, defaults and messages of the compiled ones, and are slower.
 */
export function createInterpreter(): Validators {
  return { request: createSide(true), response: createSide(false) };
}

/** The value and schema that are being validated, and where they are. */
interface Frame {
  readonly path: string;
  readonly root: object;
  readonly errors: ValidatorError[];
  readonly putsDefaults: boolean;
  /** Stops at the first error, because none is reported. */
  readonly stops: boolean;
  readonly propertyName?: string;
}

/** A keyword with a definition for the compiled validator. */
interface Definition {
  readonly keyword: string;
  readonly type: string;
  readonly compile: (wanted: never, schema: never) => DefinedValidate;
}

interface DefinedValidate {
  (value: unknown, context: { readonly instancePath: string; readonly rootData: object }): boolean;
  readonly errors?: readonly Partial<ValidatorError>[] | undefined;
}

function createSide(putsDefaults: boolean): SideValidator {
  const schemas = new Map<string, JsonSchema>();
  const interpreter = new Interpreter(schemas, putsDefaults);
  return {
    add(schema, uri) {
      schemas.set(uri, schema);
    },
    prepare: () => undefined,
    ...createCompilers({ compile: (schema) => interpreter.compile(schema as JsonSchema), schemas }),
  };
}

class Interpreter {
  readonly #defined = new WeakMap<object, Map<string, DefinedValidate>>();
  readonly #definitions: readonly Definition[];

  /** @param schemas Those that others refer to, by URI. */
  constructor(
    private readonly schemas: ReadonlyMap<string, JsonSchema>,
    private readonly putsDefaults: boolean,
  ) {
    const evaluating = createEvaluatingKeywords({
      compile: (schema) => this.compile(schema),
      resolve: (uri) => schemas.get(uri),
    });
    this.#definitions = [UNIQUE_ITEMS, MULTIPLE_OF, ...evaluating] as unknown as readonly Definition[];
  }

  compile(schema: JsonSchema): Validate {
    const validate: Validate = (value) => {
      const errors: ValidatorError[] = [];
      // Keywords keep results by the root: those of a value without members are their own.
      const root = typeof value === "object" && value !== null ? value : {};
      const isValid = this.run(schema, value, {
        path: "",
        root,
        errors,
        putsDefaults: this.putsDefaults,
        stops: false,
      });
      validate.errors = isValid ? null : errors;
      return isValid;
    };
    return validate;
  }

  /** The groups of keywords that a schema has. */
  readonly #groupsOf = memoizeBySchema((schema) =>
    GROUPS.filter(({ type, checks }) =>
      [
        ...Object.keys(checks),
        ...this.#definitions.filter((one) => one.type === type).map(({ keyword }) => keyword),
      ].some((keyword) => schema[keyword] !== undefined),
    ),
  );

  /**
   * Validates by the schema for a reference. The compiled validator copies one without references of its own, and calls a function
   * for others, which puts defaults in even if it is an alternative.
   */
  applyReference(reference: string, value: unknown, frame: Frame): boolean {
    const found = this.schemas.get(reference);
    if (found === undefined) throw new Error(`There is no schema ${reference}`);
    const { putsDefaults } = this;
    return this.run(found, value, hasReference(found) ? { ...frame, putsDefaults, stops: false } : frame);
  }

  run(schema: JsonSchema, value: unknown, frame: Frame): boolean {
    if (schema === true) return true;
    const fail = (keyword: string, message: string, params: object = {}, wanted?: unknown): false => {
      const { path, propertyName } = frame;
      frame.errors.push({
        instancePath: path,
        keyword,
        message,
        params: params as ValidatorError["params"],
        schema: wanted ?? (schema === false ? false : schema[keyword]),
        parentSchema: schema,
        data: value,
        ...(propertyName !== undefined && { propertyName }),
      });
      return false;
    };
    if (schema === false) return fail("false schema", "boolean schema is false");
    const types = schema["type"] === undefined ? [] : typesOf(schema["type"]);
    const isOfType = types.length === 0 || types.some((type) => hasType(value, type as JsonType));
    const failType = () => fail("type", "must be of another type", { type: schema["type"] });
    const late =
      types.length === 1 ? this.#groupsOf(schema).find(({ type }) => type === types[0]) : undefined;
    let isValid = isOfType;
    if (!isOfType && late === undefined) failType();
    for (const group of this.#groupsOf(schema)) {
      if (group.type !== undefined && !hasType(value, group.type)) {
        // The compiled validator reports the type where the keywords of the type are.
        if (group === late) failType();
        if (frame.stops && !isValid) return false;
        continue;
      }
      if (group.type === "object" && frame.putsDefaults)
        putDefaults(schema, value as Record<string, unknown>);
      for (const [keyword, check] of Object.entries(group.checks)) {
        const wanted = schema[keyword];
        if (wanted === undefined) continue;
        const context: Context<never> = {
          schema,
          value: value as never,
          apply: (inner, of, how) => this.apply(inner, of, frame, how),
          test: (inner, of) =>
            this.run(inner, of, { ...frame, errors: [], putsDefaults: false, stops: true }),
          fail: (...error) => fail(keyword, ...error),
          all: (list, test) => testAll(list, test, frame.stops),
          errors: {
            count: () => frame.errors.length,
            reset: (count) => {
              frame.errors.length = count;
            },
          },
          applyReference: (reference, of) => this.applyReference(reference, of, frame),
        };
        if (check(wanted as never, context)) continue;
        isValid = false;
        if (frame.stops) return false;
      }
      for (const definition of this.#definitions)
        if (group.type === definition.type && !this.runDefined(definition, schema, value, frame))
          isValid = false;
      if (frame.stops && !isValid) return false;
    }
    return isValid;
  }

  apply(schema: JsonSchema, value: unknown, frame: Frame, { key, isChoice, isName }: Inner = {}): boolean {
    const path =
      key === undefined
        ? frame.path
        : `${frame.path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const putsDefaults = frame.putsDefaults && isChoice !== true;
    return this.run(schema, value, {
      ...frame,
      path,
      putsDefaults,
      ...(isName && { propertyName: String(value) }),
    });
  }

  runDefined(definition: Definition, schema: Keywords, value: unknown, frame: Frame): boolean {
    const { keyword } = definition;
    const wanted = schema[keyword];
    if (wanted === undefined) return true;
    const known = this.#defined.get(schema) ?? new Map<string, DefinedValidate>();
    this.#defined.set(schema, known);
    const validate = known.get(keyword) ?? definition.compile(wanted as never, schema as never);
    known.set(keyword, validate);
    if (validate(value, { instancePath: frame.path, rootData: frame.root })) return true;
    const usual = { instancePath: frame.path, keyword, params: {}, schema: wanted, data: value };
    // The compiled validator adds the schema only to errors of its own.
    const own = validate.errors ?? [{ parentSchema: schema }];
    frame.errors.push(...own.map((error) => ({ ...usual, ...error })));
    return false;
  }
}

/** Tests all items, or those up to the first that fails. */
function testAll<Item>(list: Iterable<Item>, test: (item: Item) => boolean, stops: boolean): boolean {
  let isValid = true;
  for (const item of list) {
    if (test(item)) continue;
    isValid = false;
    if (stops) break;
  }
  return isValid;
}

/** Puts the defaults of properties into an object. Each gets its own copy. */
function putDefaults({ properties }: Keywords, value: Record<string, unknown>): void {
  if (!isNode(properties)) return;
  for (const [name, schema] of Object.entries(properties))
    if (isNode(schema) && schema["default"] !== undefined && getOwn(value, name) === undefined)
      value[name] = structuredClone(schema["default"]);
}

const hasReference = memoizeBySchema(
  (schema) => getTarget(schema) !== undefined || Object.values(schema).some(refersToOthers),
);

function refersToOthers(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(refersToOthers);
  return isNode(value) && hasReference(value);
}

function memoizeBySchema<Value>(make: (schema: Keywords) => Value): (schema: JsonSchema) => Value {
  const known = new WeakMap<object, Value>();
  return (schema) => {
    const keywords = typeof schema === "boolean" ? NOTHING : schema;
    const value = known.get(keywords) ?? make(keywords);
    known.set(keywords, value);
    return value;
  };
}

const NOTHING: Keywords = {};
