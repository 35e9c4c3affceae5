/** Validation of values by the contract's schemas. Runs in browsers, too. */
export { toUnicodePattern } from "./pattern.js";
export { createValidator, type Validator, type Violation } from "./validator.js";
