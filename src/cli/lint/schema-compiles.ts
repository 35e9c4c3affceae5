import type { LocationObject, Oas3Visitor, UserContext } from "@redocly/openapi-core";
import { entriesOf, isNode } from "./node.js";
import { onKey } from "./on-key.js";

const NUMERIC = ["maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "multipleOf"] as const;

/**
 * A schema can be compiled to a validator, beyond what `struct` knows: its patterns are regular expressions, its limits are numbers that
 * JSON can write, and `multipleOf` is above 0. Otherwise the service does not start, or refuses every value.
 */
export function schemaCompiles(): Oas3Visitor {
  return {
    Schema(schema, context) {
      if (!isNode(schema)) return;
      reportPatterns(schema, context);
      for (const name of NUMERIC) {
        const value: unknown = schema[name];
        const location = context.location.child(name);
        if (typeof value !== "number") continue;
        if (!Number.isFinite(value))
          context.report({ message: `Expected \`${name}\` to be a number; found ${value}.`, location });
        else if (name === "multipleOf" && value <= 0)
          context.report({ message: `Expected \`multipleOf\` to be above 0; found ${value}.`, location });
      }
    },
  };
}

function reportPatterns(
  schema: { readonly pattern?: unknown; readonly patternProperties?: Readonly<Record<string, object>> },
  context: UserContext,
): void {
  const { location } = context;
  const found: [string, LocationObject][] = entriesOf(schema.patternProperties).map(([pattern]) => [
    pattern,
    onKey(location.child(["patternProperties", pattern])),
  ]);
  if (typeof schema.pattern === "string") found.push([schema.pattern, location.child("pattern")]);
  for (const [pattern, at] of found) {
    const reason = findFault(pattern);
    if (reason === undefined) continue;
    context.report({
      message: `Expected a regular expression; found ${JSON.stringify(pattern)}: ${reason}.`,
      location: at,
    });
  }
}

/** A pattern that is only valid without the `u` flag, such as `[a-z\_]`, was meant without it; the runtime reads it so too. */
function findFault(pattern: string): string | undefined {
  try {
    new RegExp(pattern, "u");
    return undefined;
  } catch {
    try {
      new RegExp(pattern);
      return undefined;
    } catch (error) {
      // `Invalid regular expression: /[/: Unterminated character class`
      return (error as Error).message.split(": ").at(-1) ?? "";
    }
  }
}
