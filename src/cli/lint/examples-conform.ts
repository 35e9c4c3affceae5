import type { Oas3Example, Oas3Visitor, Referenced, UserContext } from "@redocly/openapi-core";
import { createExampleCheck } from "./example-check.js";
import { entriesOf, isNode, isReference } from "./node.js";

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
 * that a parameter refers to with `$ref`. A schema's `default` is the business of `default-conforms`.
 */
export function examplesConform(options: ExamplesConformOptions): Oas3Visitor {
  const check = createExampleCheck(options);
  return {
    Header(header: Exemplified, context) {
      if (!isNode(header)) return;
      if (header.example !== undefined)
        check(header, { location: context.location.child("example"), context });
      for (const [name, example] of entriesOf(header.examples)) checkNamed(header, name, example, context);
    },
    Parameter(parameter, context) {
      if (!isNode(parameter)) return;
      for (const [name, example] of entriesOf(parameter.examples)) {
        if (isReference(example)) checkNamed(parameter, name, example, context);
      }
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
    check({ schema, example: node.value }, { location: location.child("value"), context });
  }
}
