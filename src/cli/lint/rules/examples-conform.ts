import type { Side } from "tenon/core/schema";
import type { Parameter, ResponseHeader } from "tenon/core/model";
import type { Rule } from "../rule.js";

export interface ExamplesConformOptions {
  /** Allows properties that the schema does not declare; default false, as in the built-in rules. */
  readonly allowAdditionalProperties: boolean;
}

/**
 * Requires examples to conform to their schemas, if the three built-in `no-invalid-*-examples` rules ignore them: examples of
 * headers, and those that a parameter refers to with `$ref`. `default-conforms` validates the `default` of a schema.
 */
export const examplesConform: Rule<ExamplesConformOptions> = (_contract, context) => {
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
