/** The keywords that the generated `schemas.ts` consists of. */
export * from "./applicators.js";
export {
  asBigInt,
  asDate,
  asInstant,
  asPlainDate,
  both,
  codec,
  type Codec,
  type Conversion,
  either,
  list,
  members,
  of,
  textAsBigInt,
} from "./codecs.js";
export * from "./containers.js";
export * from "./formats.js";
export * from "./scalars.js";
export {
  type Issue,
  type Responses,
  type ResponsesByOperation,
  schema,
  type Validated,
  type Validator,
} from "./schema.js";
