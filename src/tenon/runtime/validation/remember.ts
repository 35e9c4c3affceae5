/** More errors of a value are not kept: their number doubles at each level where two alternatives refer to the same schema. */
export const MAX_ERRORS = 200;

/** A function that the validator has compiled. */
interface Compiled {
  (data: unknown, context?: { readonly instancePath?: string }): boolean;
  errors?: readonly unknown[] | null;
}

interface Result {
  readonly path: string | undefined;
  readonly isValid: boolean;
  readonly errors: readonly unknown[] | null;
}

/** Makes a compiled function validate each object and array once while it runs. */
export function remember(run: Compiled): Compiled {
  const results = new Map<unknown, Result>();
  let depth = 0;
  const validate: Compiled = (data, context) => {
    if (typeof data !== "object" || data === null) return run(data, context);
    const known = results.get(data);
    // Errors have the path of the value.
    if (known !== undefined && (known.isValid || known.path === context?.instancePath)) {
      validate.errors = known.errors && [...known.errors];
      return known.isValid;
    }
    depth += 1;
    try {
      const isValid = run(data, context);
      const errors = limit(validate.errors ?? null);
      validate.errors = errors && [...errors];
      results.set(data, { path: context?.instancePath, isValid, errors });
      return isValid;
    } finally {
      depth -= 1;
      if (depth === 0) results.clear();
    }
  };
  return validate;
}

/** Keeps the last error too, which may be that of a union. */
function limit(errors: readonly unknown[] | null): readonly unknown[] | null {
  return errors && errors.length > MAX_ERRORS ? [...errors.slice(0, MAX_ERRORS - 1), errors.at(-1)] : errors;
}
