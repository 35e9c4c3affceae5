import { isMultiple } from "../../core/validation/index.js";

/** Definition of the keyword for the validator, whose own compares the quotient with a precision: 1 passed as a multiple of 10^10. */
export const MULTIPLE_OF = {
  keyword: "multipleOf",
  type: "number",
  schemaType: "number",
  compile: (divisor: number) => (value: number) => isMultiple(value, divisor),
};
