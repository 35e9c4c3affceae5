import type { Rule } from "../rule.js";

const CONFORM = /^Example value must conform to the schema: (.*?)\.?$/s;

/**
 * Requires a schema's `default` to conform to the schema. In a parameter or request body a violation is an error: the default
 * replaces an omitted value and is validated, so every such request would be refused. Elsewhere the default has no effect, so a
 * violation is a warning.
 * @see https://spec.openapis.org/oas/v3.0.3#properties "the default value MUST conform to the defined type for the Schema Object"
 */
export const defaultConforms: Rule = (_contract, { declarations, report, validate }) => {
  for (const schema of declarations.schemas) {
    if (!("default" in schema)) continue;
    const isReceived = declarations.requestSchemas.has(schema.pointer);
    const side = isReceived ? "request" : "response";
    const violations = validate(schema.default, schema, { side, allowAdditionalProperties: true });
    // Any other message is about a schema that does not compile, which is not a problem of the default.
    const reason = violations.flatMap((message) => CONFORM.exec(message)?.[1] ?? []).at(-1);
    if (reason === undefined) continue;
    report(`${schema.pointer}/default`, `Expected \`default\` to conform to its schema; ${reason}.`, {
      ...(!isReceived && { severity: "warn" }),
    });
  }
};
