import { joinPointer } from "tenon/core/document";
import { type Schema, toRegExp } from "tenon/core/schema";
import type { Rule, RuleContext } from "../rule.js";

const NUMERIC = ["maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "multipleOf"] as const;

const NAMING = ["properties", "patternProperties", "dependentSchemas"] as const;

/**
 * Requires a schema to compile to a validator, beyond the checks of `struct`: its patterns are regular expressions, its limits are
 * finite numbers, `multipleOf` is above 0, and names are Unicode. Otherwise the service does not start, or refuses every value.
 */
export const schemaCompiles: Rule = (_contract, { declarations, report }) => {
  for (const schema of declarations.schemas) {
    reportPatterns(schema, report);
    for (const keyword of NAMING)
      for (const name of Object.keys(schema[keyword] ?? {}))
        if (/\p{Surrogate}/u.test(name))
          report(
            joinPointer(schema.pointer, keyword, name),
            `Expected a name without lone surrogates; found ${JSON.stringify(name)}.`,
            { onKey: true },
          );
    for (const name of NUMERIC) {
      // The values of keywords are not validated and may have any type.
      const value: unknown = schema[name];
      const pointer = joinPointer(schema.pointer, name);
      if (typeof value !== "number") continue;
      if (!Number.isFinite(value)) report(pointer, `Expected \`${name}\` to be a number; found ${value}.`);
      else if (name === "multipleOf" && value <= 0)
        report(pointer, `Expected \`multipleOf\` to be above 0; found ${value}.`);
    }
  }
};

function reportPatterns(schema: Schema, report: RuleContext["report"]): void {
  const { pattern, patternProperties = {}, pointer } = schema as Schema & { readonly pattern?: unknown };
  for (const name of Object.keys(patternProperties))
    reportPattern(name, joinPointer(pointer, "patternProperties", name), report, true);
  if (typeof pattern === "string") reportPattern(pattern, joinPointer(pointer, "pattern"), report);
}

function reportPattern(pattern: string, pointer: string, report: RuleContext["report"], onKey = false): void {
  const reason = findError(pattern);
  if (reason === undefined) return;
  report(pointer, `Expected a regular expression; found ${JSON.stringify(pattern)}: ${reason}.`, { onKey });
}

/** Finds the error of a pattern. Like the runtime, it accepts a pattern that is only valid without the `u` flag: `[a-z\_]`. */
function findError(pattern: string): string | undefined {
  try {
    toRegExp(pattern);
    return undefined;
  } catch (error) {
    // `Invalid regular expression: /[/: Unterminated character class`
    return (error as Error).message.split(": ").at(-1) ?? "";
  }
}
