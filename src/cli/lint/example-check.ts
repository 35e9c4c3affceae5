import type { Location, UserContext } from "@redocly/openapi-core";

const BUILT_IN_RULE = "no-invalid-parameter-examples";

export interface ExampleCheckOptions {
  /** Lets an example have properties that its schema does not declare; default false, as in the built-in rules. */
  readonly allowAdditionalProperties?: boolean;
}

/** A value, and the schema that it has to conform to. */
export interface Exemplified {
  readonly schema?: unknown;
  readonly example?: unknown;
}

/** Where the value is, and how what is wrong with it is told. */
export interface ExamplePlace {
  readonly location: Location;
  readonly context: UserContext;
  /** Default: the context's own, at `location`. */
  readonly report?: (message: string) => void;
}

/**
 * Creates the check that a value conforms to a schema. The built-in rule for parameters does the work, so that all examples are held to
 * one validator and its settings.
 */
export function createExampleCheck(
  options: ExampleCheckOptions,
): (exemplified: Exemplified, place: ExamplePlace) => void {
  // It has a validator, which compiles each schema once: one serves all checks of a run.
  let visitor: BuiltInVisitor | undefined;

  return ({ schema, example }, { location, context, report }) => {
    visitor ??= createVisitor(options, context);
    visitor.Parameter.leave(
      { schema, example },
      {
        ...context,
        report: (problem) => {
          if (report) report(problem.message);
          else context.report({ ...problem, location });
        },
      },
    );
  };
}

interface BuiltInVisitor {
  readonly Parameter: { leave(parameter: Exemplified, context: UserContext): void };
}

function createVisitor(options: ExampleCheckOptions, context: UserContext): BuiltInVisitor {
  const rule = context.config?.plugins.find((plugin) => plugin.id === "")?.rules?.oas3?.[BUILT_IN_RULE];
  if (rule === undefined)
    throw new Error(`Expected Redocly to have the built-in rule ${BUILT_IN_RULE}; found none.`);
  return rule(options) as BuiltInVisitor;
}
