/** Values that schemas allow, and schemas as one object. */
export { type FlatSchema, flatten, merge, type SchemaView } from "./flatten.js";
export { FORMATS } from "./human/formats.js";
export { toIntegerRange, toNumbers } from "./human/numbers.js";
export { createFit, toStrings } from "./human/strings.js";
export { sentence, toPlain } from "./human/words.js";
export type { MakeValues } from "./place.js";
export { createValues, isOfType } from "./values.js";
export { toLeastLength, toRegExp } from "./regexp.js";
export { explainTooLarge } from "./too-large.js";
