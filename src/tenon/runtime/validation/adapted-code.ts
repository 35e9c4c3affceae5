import { EqualValues } from "./equal-values.js";

/** Appends the errors of a reference to those before them. */
const APPEND = /vErrors = vErrors === null \? ([\w.]+) : vErrors\.concat\(\1\);/g;

/** Looks for a value among many, one by one. */
const SEARCH =
  /(valid\d+) = false;for\(const (v\d+) of ((?:[^"()]|"(?:[^"\\]|\\.)*")*)\)\{if\([\w.]+\((data\d*), \2\)\)\{\1 = true;break;\}\}/g;

/** The name of a property that the schema does not name, as part of an error's path. */
const NAME = /\b(\w+)(?=\.replace\(\/~\/g, "~0"\))/g;

/** Names of evaluated properties, for `unevaluatedProperties`. */
const EVALUATED = /\b(props\d+) = ((?:\1 \|\| )?)\{\}/g;

/** Puts the default of a property into an object, of which `constructor` and the like are never missing. */
const DEFAULT = new RegExp(
  `if\\((data\\d*)\\.(${Object.getOwnPropertyNames(Object.prototype).join("|")}) === undefined\\)`,
  "g",
);

/** A function of the validator. */
const FUNCTION = /(?<=const func\d+ = )scope\.func\[\d+\](?=;)/g;

/** More errors of a value are not kept: their number doubles at each level where two alternatives refer to the same schema. */
const MAX_ERRORS = 200;

/**
 * Changes the code that the validator compiles. A property may be called like a member of every object, such as `toString`, and the
 * time grows with the size of the value:
 * - The validator copies all earlier errors for each reference that fails, which takes 9 s for 49,000 items.
 * - Each error has its whole path. A name of 50 kB with 24,000 invalid items takes more than 1 GB, so long names are cut.
 * - An `enum` with many values is searched one by one: 2,000 values and 33,000 items take 2 s.
 * - Schemas that refer to themselves validate each value once. Where two alternatives have the same recursive property, the
 *   validator takes twice the time for each level: a body of 1 kB with 60 levels would take years.
 */
export function adaptCode(code: string): string {
  const named = code
    .replaceAll(EVALUATED, "$1 = $2Object.create(null)")
    .replaceAll(DEFAULT, 'if(!Object.hasOwn($1, "$2") || $1.$2 === undefined)')
    .replaceAll(FUNCTION, "self.adaptFunction($&)");
  const found = named.replaceAll(SEARCH, "$1 = self.isOneOf($3, $4);");
  const cut = found.replaceAll(NAME, `($1.length > 64 ? $1.slice(0, 64) + "…" : $1)`);
  const appended = cut.replaceAll(
    APPEND,
    // One error must be added, because the code compares their numbers; the last one is that of a union.
    `if(vErrors === null){vErrors = $1;}else{for(const error of vErrors.length < ${MAX_ERRORS} ? $1 : $1.slice(-1))vErrors.push(error);}`,
  );
  // A schema that is still being compiled is called through a wrapper: it refers to itself.
  if (!/\bwrapper\d+\.validate\(/.test(appended)) return appended;
  return appended.replace(
    /return function (validate\d+)(\([^]*\})$/,
    "const $1 = self.remember(function$2);return $1;",
  );
}

/** Functions that the changed code calls, as methods of the validator. */
export const ADAPTED = { adaptFunction, isOneOf, remember };

type Compare = (value: unknown, other: unknown) => boolean;

/** Replaces the validator's comparison, which calls a value's own member `valueOf` or `toString`. */
function adaptFunction(original: Compare & { readonly code?: string }): Compare {
  return original.code?.includes("runtime/equal") === true ? isEqual : original;
}

const isEqual: Compare = (value, other) => {
  const values = new EqualValues();
  return values.toText(value) === values.toText(other);
};

/** The values of an `enum`, by the `enum`. */
const values = new WeakMap<
  readonly unknown[],
  { readonly primitives: Set<unknown>; readonly others: unknown[] }
>();

/** Tests whether a value is one of an `enum`'s. */
function isOneOf(allowed: readonly unknown[], value: unknown): boolean {
  let known = values.get(allowed);
  if (known === undefined) {
    known = {
      primitives: new Set(allowed.filter(isPrimitive)),
      others: allowed.filter((one) => !isPrimitive(one)),
    };
    values.set(allowed, known);
  }
  return isPrimitive(value)
    ? known.primitives.has(value)
    : known.others.some((other) => isEqual(value, other));
}

const isPrimitive = (value: unknown): boolean => typeof value !== "object" || value === null;

/** A function that the validator has compiled. */
interface Compiled {
  (data: unknown, context?: { readonly instancePath?: string; readonly isAllOfVariant?: number }): boolean;
  errors?: readonly unknown[] | null;
  /** Names and indexes for `unevaluatedProperties` and `unevaluatedItems`. */
  evaluated?: { props?: unknown; items?: unknown };
}

interface Result {
  readonly path: string | undefined;
  readonly isValid: boolean;
  readonly errors: readonly unknown[] | null;
  readonly props: unknown;
  readonly items: unknown;
}

/** Makes a compiled function validate each object and array once while it runs. */
function remember(run: Compiled): Compiled {
  // Within `allOf` the function leaves unevaluated properties alone.
  const [alone, withinAllOf] = [new Map<unknown, Result>(), new Map<unknown, Result>()];
  let depth = 0;
  const validate: Compiled = (data, context) => {
    if (typeof data !== "object" || data === null) return run(data, context);
    const results = context?.isAllOfVariant === 1 ? withinAllOf : alone;
    const known = results.get(data);
    const { evaluated } = validate;
    if (known !== undefined && known.path === context?.instancePath) {
      validate.errors = known.errors && [...known.errors];
      if (evaluated) Object.assign(evaluated, { props: copy(known.props), items: known.items });
      return known.isValid;
    }
    depth += 1;
    try {
      const isValid = run(data, context);
      const errors = limit(validate.errors ?? null);
      validate.errors = errors && [...errors];
      const { props, items } = evaluated ?? {};
      results.set(data, { path: context?.instancePath, isValid, errors, props: copy(props), items });
      return isValid;
    } finally {
      depth -= 1;
      if (depth === 0) {
        alone.clear();
        withinAllOf.clear();
      }
    }
  };
  return validate;
}

/** Keeps the last error too, which may be that of a union. */
function limit(errors: readonly unknown[] | null): readonly unknown[] | null {
  return errors && errors.length > MAX_ERRORS ? [...errors.slice(0, MAX_ERRORS - 1), errors.at(-1)] : errors;
}

/** The caller adds to the names of evaluated properties. */
const copy = (props: unknown): unknown =>
  typeof props === "object" ? Object.assign(Object.create(null) as object, props) : props;
