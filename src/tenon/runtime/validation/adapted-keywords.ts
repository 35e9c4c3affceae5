/** The members of a keyword's context that are used. */
interface KeywordContext {
  readonly schema: object;
  readonly parentSchema: object;
  readonly it: object;
  readonly gen: { block(body: () => void): void };
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
    // Without `allErrors` the keyword stops; within a `compositeRule` the function that has it goes on.
    const it = { ...context.it, allErrors: false, compositeRule: true };
    for (const schema of parts)
      context.gen.block(() => {
        code(Object.create(context, { schema: { value: schema }, it: { value: it } }) as KeywordContext);
      });
  };
}

/**
 * Makes `contains` leave its items to the `unevaluatedItems` beside it, which `toJsonSchema` has extended by its schema. The validator
 * takes all items for evaluated, also those that do not match `contains`.
 */
export function leaveItemsUnevaluated(definition: KeywordDefinition): void {
  const { code } = definition;
  definition.code = (context) => {
    // The keyword notes in `it` what it has evaluated.
    const it = "unevaluatedItems" in context.parentSchema ? { ...context.it } : context.it;
    code(Object.create(context, { it: { value: it } }) as KeywordContext);
  };
}
