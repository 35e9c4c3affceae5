/** The members of a keyword's context that are used. */
interface KeywordContext {
  readonly schema: object;
  readonly it: { readonly opts: object };
  readonly gen: {
    block(body: () => void): void;
    name(prefix: string): object;
    var(name: object, value: boolean): object;
  };
}

/** The definition of a keyword, which each validator has its own copy of. */
export interface KeywordDefinition {
  code: (context: KeywordContext) => void;
}

/**
 * Makes `required` and `dependentRequired` stop at the first property that is missing. The validator makes an error for each one, so
 * that a body of 100 kB with 33,000 empty objects, where a hundred properties are required, takes seconds for 3 million errors.
 * All missing properties follow from the error's `schema` and `data`.
 */
export function stopAtFirstMissing(definition: KeywordDefinition): void {
  const { code } = definition;
  definition.code = (context) => {
    // `required` has a list; `dependentRequired` has one for each property, which are independent of each other.
    const parts = Array.isArray(context.schema)
      ? [context.schema]
      : Object.entries(context.schema).map(([name, names]) => ({ [name]: names as unknown }));
    for (const schema of parts)
      context.gen.block(() => {
        // Without `allErrors` the keyword stops; within a `compositeRule` the function that has it goes on.
        const it = { ...context.it, allErrors: false, compositeRule: true };
        // The code for a single property takes the name "" for none; the loop for many does not.
        if (Array.isArray(schema) && schema.includes("")) it.opts = { ...it.opts, loopRequired: 0 };
        else if (Object.values(schema).flat().includes("")) it.allErrors = true;
        code(Object.create(context, { schema: { value: schema }, it: { value: it } }) as KeywordContext);
      });
  };
}

/**
 * Makes `prefixItems` and `propertyNames` valid for an array or object without items or members. Their code leaves the result of the
 * last comparison unset, or as it was for another value, and skips the keywords after it.
 */
export function startAsValid(definition: KeywordDefinition): void {
  const { code } = definition;
  definition.code = (context) => {
    const { gen } = context;
    // The first name is that of the result.
    const own = (prefix: string) => {
      Reflect.deleteProperty(gen, "name");
      const valid = gen.name(prefix);
      gen.var(valid, true);
      return valid;
    };
    Object.defineProperty(gen, "name", { configurable: true, value: own });
    code(context);
    Reflect.deleteProperty(gen, "name");
  };
}
