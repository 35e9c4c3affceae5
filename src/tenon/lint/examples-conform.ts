import type { Location, Oas3Example, Oas3Visitor, Referenced, UserContext } from "@redocly/openapi-core";
import { entriesOf, isNode, isReference } from "./node.js";

const BUILT_IN_RULE = "no-invalid-parameter-examples";

export interface ExamplesConformOptions {
  /** Lets an example have properties that its schema does not declare; default false, as in the built-in rules. */
  readonly allowAdditionalProperties?: boolean;
}

/** What the check needs of a header, a parameter or a media type. */
interface Exemplified {
  readonly schema?: unknown;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Referenced<Oas3Example>>>;
}

/**
 * Examples that the three built-in `no-invalid-*-examples` rules pass over conform to their schemas too: those of headers, those
 * that a parameter refers to with `$ref`, and the `default` of a schema, which is put in place of what a client omits.
 */
export function examplesConform(options: ExamplesConformOptions): Oas3Visitor {
  return {
    Header(header: Exemplified, context) {
      if (!isNode(header)) return;
      if (header.example !== undefined) check(header, context.location.child("example"), context);
      for (const [name, example] of entriesOf(header.examples)) checkNamed(header, name, example, context);
    },
    Parameter(parameter, context) {
      if (!isNode(parameter)) return;
      for (const [name, example] of entriesOf(parameter.examples)) {
        if (isReference(example)) checkNamed(parameter, name, example, context);
      }
    },
    Schema(schema, context) {
      if (!isNode(schema) || schema.default === undefined) return;
      check({ schema, example: schema.default }, context.location.child("default"), context);
    },
  };

  function checkNamed(
    { schema }: Exemplified,
    name: string,
    example: Referenced<Oas3Example>,
    context: UserContext,
  ): void {
    const { node, location } = isReference(example)
      ? context.resolve<Oas3Example>(example)
      : { node: example, location: context.location.child(["examples", name]) };
    if (node?.value === undefined || location === undefined) return;
    check({ schema, example: node.value }, location.child("value"), context);
  }

  /** The built-in rule for parameters does the work, so that all examples are held to one validator and its settings. */
  function check({ schema, example }: Exemplified, location: Location, context: UserContext): void {
    const rule = context.config?.plugins.find((plugin) => plugin.id === "")?.rules?.oas3?.[BUILT_IN_RULE];
    const visitor = rule?.(options) as BuiltInVisitor | undefined;
    if (visitor === undefined)
      throw new Error(`Expected Redocly to have the built-in rule ${BUILT_IN_RULE}; found none.`);
    visitor.Parameter.leave(
      { schema, example },
      {
        ...context,
        report: (problem) => {
          context.report({ ...problem, location });
        },
      },
    );
  }
}

interface BuiltInVisitor {
  readonly Parameter: { leave(parameter: Exemplified, context: UserContext): void };
}
