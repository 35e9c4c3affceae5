import { type Side, typeOf } from "tenon/core/schema";
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

/**
 * Requires a `default` of OpenAPI 3.0 to have the type of its schema, where a request gets it. JSON Schema, and so OpenAPI 3.1, allows
 * any default, and 3.0 any of the type: `default-ignored` warns of other invalid ones, which are not applied.
 * @see https://spec.openapis.org/oas/v3.0.3#properties "the default value MUST conform to the defined type for the Schema Object"
 */
export const defaultConforms: Rule = ({ openapi }, { declarations, report }) => {
  if (!openapi.startsWith("3.0")) return;
  for (const schema of declarations.schemas) {
    const { type, pointer, default: value } = schema;
    if (type === undefined || value === undefined || !declarations.requestSchemas.has(pointer)) continue;
    const found = typeOf(value);
    if (type.includes(found) || (found === "integer" && type.includes("number"))) continue;
    const message = `OpenAPI 3.0 requires \`default\` to have the type of its schema: expected ${type.join(" or ")}, found ${found}`;
    report(`${pointer}/default`, message);
  }
};
