/** Values that schemas allow, and schemas as one object. */
export { type FlatSchema, flatten, getOwn, merge, type SchemaView } from "./flatten.js";
export { FORMATS } from "./human/formats.js";
export { toNumbers } from "./human/numbers.js";
export { createFit, toStrings } from "./human/strings.js";
export { sentence } from "./human/words.js";
export type { Leaves, MakeValues, Place } from "./place.js";
export { createValues, type ValuesOptions } from "./values.js";
