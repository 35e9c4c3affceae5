/** More errors of a value are not kept: their number doubles at each level where two alternatives refer to the same schema. */
export const MAX_ERRORS = 200;

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
export function remember(run: Compiled): Compiled {
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
