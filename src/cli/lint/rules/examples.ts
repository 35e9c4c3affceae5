import type { Side } from "tenon/core/schema";
import type { Parameter, ResponseHeader } from "tenon/core/model";
import type { AdditionalProperties, Rule } from "../rule.js";

/**
 * Requires examples to conform to their schemas, if the three built-in `no-invalid-*-examples` rules ignore them: examples of
 * headers, and those that a parameter refers to with `$ref`. `default-conforms` validates the `default` of a schema.
 */
export const examplesConform: Rule<AdditionalProperties> = (_contract, context) => {
  const { declarations, options, report, validate } = context;
  const validateExamples = (
    { schema, mediaType, examples }: Parameter | ResponseHeader,
    side: Side,
    isBuiltIn: (pointer: string) => boolean,
  ) => {
    // The examples of `content` are those of a media type.
    for (const { pointer, value } of mediaType === undefined ? examples : []) {
      if (isBuiltIn(pointer)) continue;
      for (const message of validate(value, schema, { ...options, side })) report(pointer, message);
    }
  };
  for (const header of declarations.headers) validateExamples(header, "response", () => false);
  for (const parameter of declarations.parameters)
    validateExamples(parameter, "request", (pointer) => pointer.startsWith(`${parameter.pointer}/`));
};

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
